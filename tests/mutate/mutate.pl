#!/usr/bin/perl
# Changes one place of the source at a time and runs the tests: a change that no test notices is printed.
#   mutate.pl --source DIR --work DIR [--count N] [--seed N] [--only GLOB,...] [--kind KIND] [--list] [--near] [--trust] [-j N]
# --count: how many changes of each kind. --near: only the tests that lie near to the changed file. --trust: the tests pass
# without any change, and are not run for that first. Changes that equivalent.tsv names are left out.
# The tree is copied to the work directory and built there; the source is not touched. The library becomes a shared one, so
# that a change compiles one file and links the library, and not each test program.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use Getopt::Long;
use Time::HiRes qw(time);

my %option = (count => 5, seed => 1, only => '*', kind => '', j => 2, source => '.', timeout => 900);
GetOptions(\%option, 'source=s', 'work=s', 'count=i', 'seed=i', 'only=s', 'kind=s', 'list', 'near', 'trust', 'j=i', 'timeout=i')
    or die "mutate.pl: see its first lines for the options\n";
my $source = abs_path($option{source});
my $work   = $option{work} // "$source/build-mutate";
my $known_list = dirname(abs_path($0)) . '/equivalent.tsv';
$| = 1;

# Tests of what a directory of the library does, nearest first, beside those of tests/<directory>.
my %near = (
    base    => [qw(tests/library/*-t tests/lint/*-t tests/model/*-t tests/cli/outputs.t tests/cli/whole.t tests/cli/pipes.t tests/cli/linear.t tests/fault/*.t)],
    wire    => [qw(tests/model/*-t tests/check/*-t)],
    model   => [qw(tests/library/*-t tests/convert/*-t tests/check/*-t tests/cli/external.t tests/cli/outputs.t tests/cli/show.t tests/cli/places.t tests/cli/parts.t)],
    check   => [qw(tests/lint/*-t tests/cli/checks.t tests/cli/external.t tests/cli/lint.t)],
    convert => [qw(tests/cli/convert.t tests/cli/steps.t tests/cli/parts.t tests/cli/sequences.t tests/cli/replace.t tests/cli/given.t tests/rule/*-t tests/cli/matrix.t tests/library/*-t)],
    rule    => [qw(tests/convert/*-t tests/cli/rules.t tests/cli/replace.t tests/cli/given.t tests/cli/how-far.t)],
    verify  => [qw(tests/cli/verify.t tests/cli/verify-honest.t tests/cli/certificate.t tests/cli/hostile-certificate.t tests/cli/draw.t)],
    kernel  => [qw(tests/run/*-t tests/cli/budget.t tests/cli/run.t tests/cli/resources.t tests/infer/*-t)],
    split   => [qw(tests/kernel/*-t)],
    diff    => [qw(tests/cli/diff.t)],
    dialect => [qw(tests/cli/directml.t tests/cli/directml-read.t tests/cli/openvino.t tests/cli/openvino-import.t)],
    infer   => [qw(tests/convert/*-t tests/cli/infer.t)],
    schema  => [qw(tests/check/*-t tests/convert/*-t)],
    run     => [qw(tests/cli/run.t tests/cli/npz.t tests/cli/resources.t)],
    lint    => [qw(tests/cli/lint.t tests/cli/lint-config.t tests/cli/fix.t tests/cli/ci.t)],
    src     => [qw(tests/cli/usage.t tests/cli/outputs.t tests/cli/whole.t tests/fault/interrupted.t tests/cli/backend.t)],
);

# What may be changed: a kind, what it looks for, and what it writes instead. One match is one mutation.
my @operators = (
    [bound   => qr/(?<=\s)<(?=\s)/,                      sub { '<=' }],
    [bound   => qr/(?<=\s)<=(?=\s)/,                     sub { '<' }],
    [bound   => qr/(?<=\s)>(?=\s)/,                      sub { '>=' }],
    [bound   => qr/(?<=\s)>=(?=\s)/,                     sub { '>' }],
    [compare => qr/(?<=\s)==(?=\s)/,                     sub { '!=' }],
    [compare => qr/(?<=\s)!=(?=\s)/,                     sub { '==' }],
    [logic   => qr/(?<=\s)&&(?=\s)/,                     sub { '||' }],
    [logic   => qr/(?<=\s)\|\|(?=\s)/,                   sub { '&&' }],
    [rights  => qr/ \| (?:O_EXCL|O_NOFOLLOW|O_CLOEXEC)\b/, sub { '' }],
    [rights  => qr/\bRENAME_NOREPLACE\b/,                sub { '0' }],
    [rights  => qr/\bAT_SYMLINK_NOFOLLOW\b/,             sub { '0' }],
    [rights  => qr/\b0600\b/,                            sub { '0644' }],
    [rights  => qr/\b(?:fchmod|fchown)\([^()]*(?:\([^()]*\)[^()]*)*\)/, sub { '0' }],
    [rights  => qr/\bS_IS[UG]ID\b/,                      sub { '0' }],
    [sync    => qr/\b(?:fsync|fdatasync)\([^()]*\)/,     sub { '0' }],
    [sync    => qr/\bEINTR\b/,                           sub { 'EXDEV' }],
    [limit   => qr/(?<=_MAX )\s*(?:UINT64_C\(\d+\)|\(?\d+[uUlL]*(?: << \d+)?\)?)(?=\s)/, sub { ' INT32_MAX' }],
    [limit   => qr/(?<=_MAX = )\d+[uUlL]*/,              sub { 'INT32_MAX' }],
    [limit   => qr/\bsetrlimit\([^()]*\)/,               sub { '0' }],
    [remove  => qr/\b(?:unlink|unlinkat)\([^()]*\);/,    sub { ';' }],
    [step    => qr/(?<=[\w)\]]) \+ 1\b/,                 sub { '' }],
    [step    => qr/(?<=[\w)\]]) - 1\b/,                  sub { '' }],
);

sub read_file {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
}

sub glob_matches {
    my ($path) = @_;
    for my $glob (split /,/, $option{only}) {
        my $pattern = join '.*', map { quotemeta } split /\*/, $glob, -1;
        return 1 if $path =~ /^$pattern$/;
    }
    return 0;
}

# Places in code: comments, texts and preprocessor lines but defines are left alone.
sub mutations_of {
    my ($path) = @_;
    my $text = read_file("$source/$path");
    (my $code = $text) =~ s{(/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')}{$1 =~ s/[^\n]/\x01/gr}gse;
    my @found;
    for my $operator (@operators) {
        my ($kind, $pattern, $instead) = @$operator;
        next if $option{kind} ne '' && $option{kind} ne $kind;
        while ($code =~ /$pattern/g) {
            my ($start, $end) = ($-[0], $+[0]);
            my $line_start = rindex($code, "\n", $start) + 1;
            my $line = substr $code, $line_start, index($code . "\n", "\n", $start) - $line_start;
            next if $line =~ /^\s*(?:assert\b|#\s*(?:if|elif|include))/ || $line =~ /^\s*for \(/;
            push @found, { path => $path, kind => $kind, start => $start, end => $end,
                instead => $instead->(), line => 1 + (substr($code, 0, $start) =~ tr/\n//) };
        }
    }
    return @found;
}

# Changes without an observable effect: the file, the line after the change, and why.
sub equivalents {
    my %known;
    for (grep { !/^#/ && /\t/ } split /\n/, read_file($known_list)) {
        my ($path, $line) = split /\t/;
        $known{"$path\t$line"} = 1;
    }
    return \%known;
}

sub mutated_line {
    my ($text, $mutation) = @_;
    my $changed = $text;
    substr($changed, $mutation->{start}, $mutation->{end} - $mutation->{start}) = $mutation->{instead};
    return ($changed, (split /\n/, $changed)[$mutation->{line} - 1] =~ s/^\s+//r);
}

srand $option{seed};
chdir $source or die "$source: $!\n";
my @paths = grep { glob_matches($_) } split /\n/, `git ls-files 'lib/*.c' 'src/*.c'`;
my @all   = map { mutations_of($_) } @paths;
my $known = equivalents();
my %of_kind;
for my $mutation (@all) {
    my (undef, $line) = mutated_line(read_file("$source/$mutation->{path}"), $mutation);
    push @{ $of_kind{ $mutation->{kind} } }, $mutation unless $known->{"$mutation->{path}\t$line"};
}
my @chosen;
for my $kind (sort keys %of_kind) {
    my $left = $of_kind{$kind};
    push @chosen, splice @$left, int rand @$left, 1 for 1 .. (@$left < $option{count} ? @$left : $option{count});
}
@chosen = map { splice @chosen, int rand @chosen, 1 } 1 .. @chosen;    # a run that is stopped has seen each kind
if ($option{list}) {
    for (@chosen) {
        my (undef, $line) = mutated_line(read_file("$source/$_->{path}"), $_);
        print "$_->{path}:$_->{line}: $_->{kind}: $line\n";
    }
    exit 0;
}

# ---- the copy ----

my $tree = "$work/tree";
make_path($tree);
system("git ls-files -z | xargs -0 cp --parents -pt '$tree'") == 0 or die "mutate.pl: the tree cannot be copied\n";
chdir $tree or die "$tree: $!\n";
sub quietly {
    my ($seconds, $command) = @_;
    return system('timeout', '-k', '5', $seconds, 'sh', '-c', "exec >'$work/log' 2>&1; $command") == 0;
}

# What links libinside.a links the shared library, from then on without being linked again.
sub library_link {
    return quietly($option{timeout}, 'cd build && gcc -shared -Wl,-soname,$PWD/libinside.so -o libinside.so.new '
        . '$(cat inside-objects) && mv libinside.so.new libinside.so');
}
sub library_share {
    return quietly(1800, "{ [ -f configure ] || autoreconf -fi; } && mkdir -p build && cd build && "
        . "{ [ -f Makefile ] || ../configure -q --disable-shared --disable-hardening CFLAGS='-O0 -fPIC -fvisibility=default -UNDEBUG'; } && make -s -j$option{j} && "
        . q{printf 'objects:\n\t@echo $(libinside_la_OBJECTS:.lo=.o)\n' >inside.mk && make -s -f Makefile -f inside.mk objects >inside-objects})
        && library_link()
        && quietly(1800, 'cd build && archive=$(find . -name libinside.a | head -n 1) && rm -f "$archive" opshift tests/*/*-t && '
            . 'echo "INPUT($PWD/libinside.so)" >"$archive" && touch libinside.la && '
            . "make -s -j$option{j} -o libinside.la opshift opshift-ort && make -s -j$option{j} -o libinside.la -o libopshift.la check TESTS=");
}
library_share() or die "mutate.pl: the copy does not build; see $work/log\n";

# Tests of the build, not of behaviour, are left out.
my @tests = grep { $_ !~ m{/(?:abi|cost|hardening|install)\.t$} } (map { s/\.c$//r } grep { m{-t\.c$} } glob 'tests/*/*.c'),
    glob 'tests/cli/*.t tests/fault/*.t tests/convert/*.t tests/verify/*.t';
my (%took, %found);

# The tests in the order in which they run: the near ones, those first that noticed changes of this file, then the quick ones.
sub tests_of {
    my ($path) = @_;
    my ($area) = $path =~ m{^lib/(\w+)/} ? $1 : 'src';
    my @globs = ("tests/$area/*", @{ $near{$area} // [] }, 'tests/cli/fixed-limits.t');
    my %rank;
    for my $i (0 .. $#globs) {
        my $pattern = join '.*', map { quotemeta } split /\*/, $globs[$i], -1;
        $rank{$_} //= $i for grep { $_ =~ /^$pattern$/ } @tests;
    }
    my @order = sort { ($found{"$path $b"} // 0) <=> ($found{"$path $a"} // 0) || ($rank{$a} // 99) <=> ($rank{$b} // 99)
        || ($took{$a} // 0) <=> ($took{$b} // 0) } @tests;
    return $option{near} ? grep { defined $rank{$_} } @order : @order;
}

# The first test that fails. A change may loop or take all memory: both are bounded.
sub first_failure {
    for my $test (@_) {
        my $start = time;
        my $bound = int(20 + 10 * ($took{$test} // 4));
        my $run = $test =~ /\.t$/ ? "perl ../$test" : "./$test";
        my $passed = quietly($bound, "ulimit -v 8000000; cd build && srcdir=.. builddir=. exec $run");
        return $test unless $passed;
        $took{$test} = time - $start;
    }
    return undef;
}

if (!$option{trust}) {
    my %used = map { $_ => 1 } map { tests_of($_->{path}) } @chosen;
    my $failed = first_failure(sort keys %used);
    die "mutate.pl: $failed fails without any change; see $work/log\n" if defined $failed;
}

sub built {
    my ($path) = @_;
    return quietly($option{timeout}, "cd build && make -s -o libinside.la opshift") if $path =~ m{^src/};
    my $object = $path =~ s/\.c$/.lo/r;
    return quietly($option{timeout}, "cd build && make -s $object") && library_link();
}

my %sum;
for my $mutation (@chosen) {
    my $path = $mutation->{path};
    my $text = read_file("$tree/$path");
    my ($changed, $line) = mutated_line($text, $mutation);
    write_file("$tree/$path", $changed);
    my $where = "$path:$mutation->{line}: $mutation->{kind}: $line";
    my $became = 'not built';
    if (built($path)) {
        my $failed = first_failure(tests_of($path));
        $found{"$path $failed"}++ if defined $failed;
        $became = defined $failed ? 'noticed' : 'survived';
    }
    $sum{ $mutation->{kind} }{$became}++;
    $sum{all}{$became}++;
    print "$became: $where\n" if $became ne 'noticed';
    write_file("$tree/$path", $text);
    built($path) or die "mutate.pl: $path does not build any more; see $work/log\n";
}
for my $kind ((sort grep { $_ ne 'all' } keys %sum), 'all') {
    my ($noticed, $unbuilt, $survived) = map { $sum{$kind}{$_} // 0 } 'noticed', 'not built', 'survived';
    printf "%-8s %4d mutations: %d noticed, %d not built, %d survived\n", $kind, $noticed + $unbuilt + $survived, $noticed, $unbuilt,
        $survived;
}
exit($sum{all}{survived} ? 1 : 0);
