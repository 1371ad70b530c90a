#!/usr/bin/perl
# verify --replay with hostile certificates: every exit status is documented and has a message, and no file
# except the two models is read.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use JSON::PP;
use Test::More;

my $json = JSON::PP->new->canonical->allow_nonref;

# AddressSanitizer reserves more address space than any limit allows.
my $limit = 'ulimit -v 2000000 2>/dev/null; ';
$limit = '' if system("{ $limit '$opshift' --version; } >/dev/null 2>&1") != 0;

my $seconds = $ENV{OPSHIFT} ? 600 : 20;    # valgrind is slow

# replay(TEXT): exit status, signal, and the whole output.
sub replay {
    my ($text) = @_;
    write_file('hostile.json', $text);
    system "${limit}timeout $seconds '$opshift' verify a.onnx b.onnx --replay hostile.json >out 2>err";
    return ($? >> 8, $? & 127, read_file('out') . read_file('err'));
}

sub is_calm {
    my ($text, $what, @statuses) = @_;
    my ($status, $signal, $words) = replay($text);
    my $calm = $signal == 0 && (grep { $_ == $status } @statuses) && $words =~ /\S/ && $words !~ /[\x00-\x08\x0b-\x1f\x7f]/;
    ok($calm, $what) or diag("exit status $status, signal $signal: " . substr $words, 0, 300);
}

system("'$opshift' assemble '$srcdir/tests/models/sample.txt' -o a.onnx && '$opshift' convert a.onnx --opset 18 -o b.onnx "
        . "--verify --report whole.json >/dev/null && '$opshift' verify a.onnx b.onnx --report c.json >/dev/null") == 0 or die;
my $good = read_file('c.json');
my ($status, $signal, $words) = replay($good);
is($status, 0, 'a good one holds');

# ---- another file, another verdict: the answer is no ----
for my $side (qw(before after)) {
    my $certificate = $json->decode($good);
    $certificate->{$side}{sha256} = '0' x 64;
    ($status, $signal, $words) = replay($json->encode($certificate));
    is($status, 1, "another hash $side: exit status 1");
    like($words, qr/^file $side: was 0{64}, is [0-9a-f]{64}$/m, "another hash $side: both are named");
}

# ---- the answer itself ----
my $certificate = $json->decode($good);
$certificate->{same} = JSON::PP::false;
($status, $signal, $words) = replay($json->encode($certificate));
is($status, 1, 'another answer: exit status 1');
like($words, qr/^answer: was not shown to be the same, is the same$/m, 'another answer: both are named');
$certificate = $json->decode($good);
$certificate->{counts}{proved}++;
($status, $signal, $words) = replay($json->encode($certificate));
is($status, 1, 'another count: exit status 1');
like($words, qr/^count of 'proved': was \d+, is \d+$/m, 'another count: both are named');
$certificate = $json->decode($good);
delete $certificate->{$_} for qw(same counts);
($status, $signal, $words) = replay($json->encode($certificate));
is($status, 1, 'no answer: exit status 1');

# ---- paths to other places are not followed ----
$certificate = $json->decode($good);
$certificate->{before}{file} = '../../../../etc/secret';
$certificate->{before}{external} = [{ location => '/etc/secret', sha256 => 'x' }, { location => '../secret' }];
$certificate->{options}{engine} = '/bin/sh';
is_calm($json->encode($certificate), 'paths that lead outside', 1, 2, 3);
SKIP: {
    my $trace = `strace -f -e trace=open,openat '$opshift' verify a.onnx b.onnx --replay hostile.json 2>&1` // '';
    skip 'strace is not here', 1 if $trace !~ /hostile\.json/;
    unlike($trace, qr/secret/, 'are not even looked at');
}

# ---- control characters are escaped ----
$certificate = $json->decode($good);
$certificate->{pieces}[0]{node} = "a\x{1b}[2J\nb\x{9b}\x{202e}";
($status, $signal, $words) = replay(JSON::PP->new->utf8->encode($certificate));
is($status, 1, 'a node that steers the terminal: exit status 1');
like($words, qr/^node: was a\\x1b\[2J\\x0ab\\xc2\\x9b\\xe2\\x80\\xae, is node /m, 'its name is shown by its bytes');
$certificate = $json->decode($good);
$certificate->{before}{external} = [{ location => 'x' . "\x{f6}" x 200, sha256 => 'x' }];
($status, $signal, $words) = replay(JSON::PP->new->utf8->encode($certificate));
is($status, 1, 'a long location, cut within a letter: exit status 1');
like($words, qr/^external data 'x(?:\xc3\xb6)+\\xc3' before: was x, is not there$/m, 'and is told');

# ---- malformed JSON ----
my %texts = (
    'nothing'                    => '',
    'a NUL'                      => "\0",
    'deep lists'                 => '[' x 100_000,
    'deep objects'               => '{"verify":' x 100_000,
    'deep lists in a piece'      => '{"kind": "verify", "differences": [], "pieces": ' . '[' x 2000 . ']' x 2000 . '}',
    'a huge number'              => '{"kind": "verify", "pieces": [], "differences": [], "seed": 1e999999}',
    'a number of many digits'    => '{"kind": "verify", "pieces": [], "differences": [], "options": {"draws": ' . '9' x 5000 . '}}',
    'a key twice'                => '{"kind": "verify", "kind": "verify", "pieces": [], "differences": []}',
    'broken UTF-8'               => "{\"kind\": \"verify\", \"pieces\": [{\"node\": \"\xff\xfe\"}], \"differences\": []}",
    'half a surrogate'           => '{"kind": "verify", "pieces": [{"node": "\ud800"}], "differences": []}',
    'a text with a NUL'          => '{"kind": "verify", "pieces": [{"node": "a\u0000b"}], "differences": []}',
    'letters that steer'         => '{"kind": "verify", "pieces": [{"node": "\u001b[2J", "verdict": "\u0007"}], "differences": []}',
    'a long text'                => '{"kind": "verify", "pieces": [{"node": "' . 'n' x 3_000_000 . '"}], "differences": []}',
    'a million pieces'           => '{"kind": "verify", "pieces": [' . join(',', ('{}') x 100_000) . '], "differences": []}',
    'differences beyond count'   => '{"kind": "verify", "pieces": [], "differences": [' . join(',', ('1') x 100_000) . ']}',
);
is_calm($texts{$_}, $_, 1, 3) for sort keys %texts;

# ---- each value replaced ----
my @others = (undef, JSON::PP::true, -1, 9_223_372_036_854_775_807, 1.5e300, '', "x\ny", '-9223372036854775809', [], [[]], {}, { a => {} });

# changed(VALUE, VISIT): calls VISIT with the tree once for each changed place.
sub changed {
    my ($root, $visit) = @_;
    my $walk;
    $walk = sub {
        my ($node) = @_;
        my @places = ref $node eq 'HASH' ? map { \$node->{$_} } sort keys %$node : ref $node eq 'ARRAY' ? map { \$_ } @$node : ();
        for my $place (@places) {
            my $was = $$place;
            for my $other (@others) {
                $$place = $other;
                $visit->($root);
            }
            $$place = $was;
            $walk->($was) if ref $was && ref $was ne 'JSON::PP::Boolean';
        }
    };
    $walk->($root);
}

my ($count, $seen, @wrong) = (0, 0);
my $every = $ENV{OPSHIFT_FAULT_ALL} ? 1 : 17;    # a run each: a sample of them
changed($json->decode(read_file('whole.json')), sub {
    my ($root) = @_;
    return if $seen++ % $every;
    $count++;
    my $text = $json->encode($root);
    my ($status, $signal, $words) = replay($text);
    push @wrong, "status $status, signal $signal: " . substr($words, 0, 200) . ": $text"
        if $signal || $status > 3 || $words !~ /\S/ || $words =~ /[\x00-\x08\x0b-\x1f\x7f]/;
});
ok(!@wrong && $count > 20, "$count certificates, each with one value changed");
diag(substr $_, 0, 600) for @wrong;

# ---- truncated ----
@wrong = ();
for (my $size = 0; $size < length $good; $size += 1 + int(length($good) / 60)) {
    my ($status, $signal, $words) = replay(substr $good, 0, $size);
    push @wrong, "cut at $size: status $status: $words" if $signal || $status != 3 || $words !~ /it is no certificate/;
}
ok(!@wrong, 'cut off anywhere, it is no certificate');
diag($_) for @wrong;
done_testing();
