#!/usr/bin/perl
# Is a file SARIF 2.1.0? Holds it against what the published schema requires of the objects that opshift writes, and
# against the limits of GitHub's code scanning. A property that the schema does not have is a mistake, too.
#   sarif.pl FILE...      prints each mistake with its path; exit status 1 when there is one
use strict;
use warnings;
use JSON::PP;

my @mistakes;

sub mistake { my ($path, $what) = @_; push @mistakes, "$path: $what"; }

my $is_true = sub { JSON::PP::is_bool($_[0]) };
my $text    = sub { defined $_[0] && !ref $_[0] && $_[0] ne '' };
my $uri     = sub { defined $_[0] && $_[0] =~ m{^[A-Za-z0-9\-._~:/?#\[\]@!\$&'()*+,;=%]*$} && $_[0] !~ /%(?![0-9A-F]{2})/ };

sub whole { my ($least) = @_; return sub { !ref $_[0] && $_[0] =~ /^-?\d+$/ && $_[0] >= $least }; }
sub one_of { my %words = map { $_ => 1 } @_; return sub { !ref $_[0] && $words{$_[0]} }; }

# Each object of the schema: its properties ("name" or, where it is required, "name!"), and what each must be: a check,
# another object's name, or [that] for a list of them.
my %level  = (level => one_of(qw(none note warning error)));
my %schema = (
    log => {'$schema' => $uri, 'version!' => one_of('2.1.0'), 'runs!' => ['run']},
    run => {
        'tool!' => 'tool', results => ['result'], invocations => ['invocation'], originalUriBaseIds => '%artifactLocation',
    },
    tool   => {'driver!' => 'driver'},
    driver => {'name!' => $text, version => $text, informationUri => $uri, rules => ['rule']},
    rule   => {
        'id!' => $text, name => $text, shortDescription => 'multiformat', fullDescription => 'multiformat',
        help => 'multiformat', defaultConfiguration => 'configuration', properties => 'bag',
    },
    configuration => {%level},
    bag           => {tags => [$text]},
    multiformat   => {'text!' => $text, markdown => $text},
    message       => {'text!' => $text},
    result        => {
        'message!' => 'message', ruleId => $text, ruleIndex => whole(-1), %level, locations => ['location'],
        partialFingerprints => '%text', baselineState => one_of(qw(new unchanged updated absent)),
        suppressions => ['suppression'],
    },
    suppression => {
        'kind!' => one_of(qw(inSource external)), status => one_of(qw(accepted underReview rejected)),
        justification => $text,
    },
    location         => {physicalLocation => 'physicalLocation', logicalLocations => ['logicalLocation']},
    logicalLocation  => {fullyQualifiedName => $text, kind => $text},
    physicalLocation => {artifactLocation => 'artifactLocation', region => 'region'},
    artifactLocation => {uri => $uri, uriBaseId => $text, description => 'message'},
    region           => {startLine => whole(1), byteOffset => whole(-1), byteLength => whole(0)},
    invocation       => {
        'executionSuccessful!' => $is_true, exitCode => whole(-2**31), toolExecutionNotifications => ['notification'],
    },
    notification => {'message!' => 'message', %level, locations => ['location']},
);

sub check {
    my ($path, $value, $kind) = @_;
    return check_list($path, $value, $kind->[0]) if ref $kind eq 'ARRAY';
    return $kind->($value) || mistake($path, 'has a wrong value') if ref $kind eq 'CODE';
    return mistake($path, 'is no object') if ref $value ne 'HASH';
    if ($kind =~ /^%(.*)/) {
        my $of = $1 eq 'text' ? $text : $1;
        check("$path.$_", $value->{$_}, $of) for sort keys %$value;
        return;
    }
    my %fields;
    for my $field (keys %{$schema{$kind}}) {
        (my $name = $field) =~ s/!$//;
        $fields{$name} = $schema{$kind}{$field};
        mistake($path, "lacks '$name'") if $field =~ /!$/ && !exists $value->{$name};
    }
    for my $name (sort keys %$value) {
        exists $fields{$name} ? check("$path.$name", $value->{$name}, $fields{$name}) : mistake($path, "has a strange '$name'");
    }
}

sub check_list {
    my ($path, $value, $kind) = @_;
    return mistake($path, 'is no list') if ref $value ne 'ARRAY';
    check("$path\[$_]", $value->[$_], $kind) for 0 .. $#$value;
}

# Requirements that the schema has in words only: consistent places and rules.
sub check_run {
    my ($path, $run) = @_;
    my $rules = $run->{tool}{driver}{rules} // [];
    my %seen;
    for my $rule (@$rules) {
        mistake($path, "has the rule $rule->{id} twice") if $seen{$rule->{id}}++;
        mistake($path, "$rule->{id} has more than 20 tags") if @{$rule->{properties}{tags} // []} > 20;
    }
    my $results = $run->{results} // [];
    my $stated  = grep { exists $_->{baselineState} } @$results;
    mistake($path, 'tells of the baseline in some results only') if $stated && $stated != @$results;
    mistake($path, 'has more than 25000 results') if @$results > 25000;
    for my $i (0 .. $#$results) {
        my ($at, $result) = ("$path.results[$i]", $results->[$i]);
        my $rule = $rules->[$result->{ruleIndex}];
        mistake($at, 'names one rule and points to another') if !$rule || $rule->{id} ne $result->{ruleId};
        mistake($at, 'has no place') if !@{$result->{locations} // []};
        check_place($at, $run, $_->{physicalLocation}{artifactLocation}) for @{$result->{locations}};
    }
}

sub check_place {
    my ($path, $run, $place) = @_;
    my $relative = $place->{uri} !~ m{^[a-z]+://};
    mistake($path, "has the place '$place->{uri}', which starts with './'") if $place->{uri} =~ m{^\./};
    mistake($path, 'has a base that the run does not have')
        if exists $place->{uriBaseId} && !exists $run->{originalUriBaseIds}{$place->{uriBaseId}};
    mistake($path, 'has a base, and is absolute') if exists $place->{uriBaseId} && !$relative;
    mistake($path, 'is relative to nothing') if !exists $place->{uriBaseId} && $relative;
}

for my $file (@ARGV) {
    open my $in, '<:raw', $file or die "$file: $!\n";
    my $bytes = do { local $/; <$in> };
    my $log   = eval { JSON::PP->new->utf8->decode($bytes) };
    if (!defined $log) { mistake($file, "is no JSON: $@"); next; }
    mistake($file, 'is larger than 10 MB') if length $bytes > 10_000_000;
    check($file, $log, 'log');
    check_run("$file: runs[$_]", $log->{runs}[$_]) for 0 .. $#{$log->{runs} // []};
}
print "$_\n" for @mistakes;
exit(@mistakes ? 1 : 0);
