#!/usr/bin/perl
# Changes one place of the source at a time and runs the tests: a change that no test notices is printed.
#   mutate.pl --source DIR --work DIR [--count N] [--seed N] [--only GLOB,...] [--kind KIND] [--list] [--near] [--most N] [--tests GLOB,...] [-j N]
# --count: how many changes of each kind. Each test first runs without any change, which records the places of the code that it
# executes (kept in the work directory until the source changes); a change is tried with the tests that execute its place.
# --near: with those alone that lie near to the changed file, or, where none does, with the --most quickest others. --list: prints
# the changes, and after a first run how many tests execute each. --tests: with no others than these. Changes that equivalent.tsv names are left out.
# The tree is copied to the work directory and built there; the source is not touched. The library becomes a shared one, so
# that a change compiles one file and links the library, and not each test program.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use File::Spec;
use Getopt::Long;
use List::Util qw(sum);
use Time::HiRes qw(time);

my %option = (count => 5, seed => 1, only => '*', tests => '*', kind => '', j => 2, source => '.', timeout => 900, most => 20);
GetOptions(\%option, 'source=s', 'work=s', 'count=i', 'seed=i', 'only=s', 'kind=s', 'list', 'near', 'most=i', 'tests=s', 'trust', 'j=i', 'timeout=i')
    or die "mutate.pl: see its first lines for the options\n";
my $source = abs_path($option{source});
my $work   = File::Spec->rel2abs($option{work} // "$source/build-mutate");
my $known_list = dirname(abs_path($0)) . '/equivalent.tsv';
$| = 1;

# Tests of what a directory of the library does, nearest first, beside those of tests/<directory>.
my %near = (
    base    => [qw(tests/library/*-t tests/lint/*-t tests/model/*-t tests/cli/outputs.t tests/cli/whole.t tests/cli/pipes.t tests/cli/linear.t tests/fault/*.t)],
    wire    => [qw(tests/model/*-t tests/check/*-t)],
    model   => [qw(tests/library/*-t tests/convert/*-t tests/check/*-t tests/cli/external.t tests/cli/outputs.t tests/cli/show.t tests/cli/places.t tests/cli/parts.t tests/cli/limits.t)],
    check   => [qw(tests/lint/*-t tests/cli/checks.t tests/cli/external.t tests/cli/lint.t)],
    convert => [qw(tests/cli/convert.t tests/cli/steps.t tests/cli/parts.t tests/cli/sequences.t tests/cli/replace.t tests/cli/given.t tests/rule/*-t tests/cli/matrix.t tests/library/*-t tests/cli/how-far.t
        tests/cli/show.t tests/fault/show.t tests/cli/domains.t tests/cli/ir-version.t tests/cli/meant.t tests/cli/unused.t tests/cli/split-to-sequence.t)],
    rule    => [qw(tests/convert/*-t tests/cli/rules.t tests/cli/replace.t tests/cli/given.t tests/cli/how-far.t)],
    verify  => [qw(tests/cli/verify.t tests/cli/verify-honest.t tests/cli/certificate.t tests/cli/hostile-certificate.t tests/cli/draw.t tests/cli/edges.t tests/cli/verify-equal.t)],
    equal   => [qw(tests/cli/verify-equal.t tests/cli/verify.t)],
    edit    => [qw(tests/cli/edit.t tests/library/*-t)],
    many    => [qw(tests/cli/many*.t tests/cli/where.t tests/cli/fleet.t tests/fault/flags.t)],
    kernel  => [qw(tests/run/*-t tests/cli/backend.t tests/cli/budget.t tests/cli/run.t tests/cli/resources.t tests/infer/*-t)],
    split   => [qw(tests/kernel/*-t)],
    diff    => [qw(tests/cli/diff.t)],
    dialect => [qw(tests/cli/directml.t tests/cli/directml-read.t tests/cli/openvino.t tests/cli/openvino-import.t)],
    infer   => [qw(tests/convert/*-t tests/cli/infer.t)],
    schema  => [qw(tests/check/*-t tests/convert/*-t)],
    run     => [qw(tests/cli/run.t tests/cli/npz.t tests/cli/resources.t)],
    lint    => [qw(tests/cli/lint.t tests/cli/lint-config.t tests/cli/fix.t tests/cli/ci.t)],
    src     => [qw(tests/cli/usage.t tests/cli/outputs.t tests/cli/whole.t tests/fault/interrupted.t tests/fault/flags.t tests/cli/backend.t tests/cli/many*.t)],
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
    [limit   => qr/(?<=_MAX )\s*(?:UINT64_C\(\d+\)|\(\d+[uUlL]* << \d+\)|\d+[uUlL]*)(?=\s)/, sub { ' INT32_MAX' }],
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
    my ($path, $globs) = @_;
    for my $glob (split /,/, $globs) {
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
my $tools = qr{^lib/(?:check/embed|rule/compile|schema/generate)\.c$};    # run by the build alone
my @paths = grep { glob_matches($_, $option{only}) && $_ !~ $tools } split /\n/, `git ls-files 'lib/*.c' 'src/*.c'`;
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
# ---- which tests execute a place ----

my $tree   = "$work/tree";
my $covers = "$work/cover";
my (@places, %blocks, %covered, %took, %found);

# Tests of the build, not of behaviour, are left out.
my @tests = grep { glob_matches($_, $option{tests}) && $_ !~ m{/(?:abi|cost|hardening|install)\.t$} } (map { s/\.c$//r } grep { m{-t\.c$} } glob 'tests/*/*.c'),
    glob 'tests/cli/*.t tests/fault/*.t tests/convert/*.t tests/verify/*.t';

# A place is the start of a block of instructions: its number is its line in the file places, "path:line offset".
sub places_read {
    return if !-f "$covers/places";
    my $number = 0;
    for (split /\n/, read_file("$covers/places")) {
        my ($path, $line, $offset) = /^(.*):(\d+) (\d+)$/ or die "mutate.pl: $covers/places: '$_'\n";
        push @{ $blocks{$path}{$line} }, $number++;
        push @places, $offset;
    }
    for my $test (@tests) {
        my $file = $covers . '/' . $test =~ tr{/}{_}r;
        my ($source_file) = grep { -f } "$source/$test.c", "$source/$test";
        next if !-f $file || (stat $file)[9] < (stat $source_file)[9];
        my ($seconds, $bits) = split /\n/, read_file($file), 2;
        ($took{$test}, $covered{$test}) = ($seconds, $bits);
    }
}

# The lines that execute a change: its own, or for a limit those that name it.
sub lines_of {
    my ($mutation) = @_;
    my $text = read_file("$source/$mutation->{path}");
    my ($limit) = substr($text, 0, $mutation->{start}) =~ /(\w+_MAX)\s*=?\s*$/;
    return $mutation->{line} if $mutation->{kind} ne 'limit' || !defined $limit;
    my ($at, @lines) = (0);
    for (split /\n/, $text) {
        $at++;
        push @lines, $at if $at != $mutation->{line} && /\b$limit\b/;
    }
    return @lines ? @lines : $mutation->{line};
}

# The blocks of those lines: the last that starts at or before each, and the one before, in which a condition may begin.
sub blocks_of {
    my ($mutation) = @_;
    my $of = $blocks{ $mutation->{path} } // return;
    my @starts = sort { $a <=> $b } keys %$of;
    my @found;
    for my $line (lines_of($mutation)) {
        my ($start, $before) = grep { $_ <= $line } reverse @starts;
        push @found, @{ $of->{$start} } if defined $start;
        push @found, @{ $of->{$before} } if defined $before && $start == $line;
    }
    return @found || $mutation->{kind} ne 'limit' ? @found : map { @$_ } values %$of;    # a limit in a struct
}

# The tests that lie near to a file: how near. Those of its name come first.
sub near_of {
    my ($path) = @_;
    my ($area) = $path =~ m{^lib/(\w+)/} ? $1 : 'src';
    my ($word) = basename($path) =~ /^(?:cmd_)?([a-z0-9]+)/;
    my @globs = ("tests/$area/$word*", "tests/cli/$word*", "tests/$area/*", @{ $near{$area} // [] }, 'tests/cli/fixed-limits.t');
    my %rank;
    for my $i (0 .. $#globs) {
        $rank{$_} //= $i for grep { glob_matches($_, $globs[$i]) } @tests;
    }
    return \%rank;
}

# The tests for a change in the order in which they run: those first that noticed changes of this file, then the near, then the quick ones.
sub tests_of {
    my ($mutation) = @_;
    my $path = $mutation->{path};
    my %rank = %{ near_of($path) };
    my @blocks = blocks_of($mutation);
    my @order = sort { ($found{"$path $b"} // 0) <=> ($found{"$path $a"} // 0) || ($rank{$a} // 99) <=> ($rank{$b} // 99)
        || ($took{$a} // 0) <=> ($took{$b} // 0) }
        grep { my $test = $_; defined $took{$test} && grep { vec($covered{$test}, $_, 1) } @blocks } @tests;
    return @order if !$option{near};
    my @near = grep { defined $rank{$_} } @order;
    my @far  = sort { $took{$a} <=> $took{$b} } grep { !defined $rank{$_} } @order;
    push @near, splice @far, 0, $option{most} - @near if @near < $option{most};
    return @near;
}

if ($option{list}) {
    places_read();
    for (@chosen) {
        my (undef, $line) = mutated_line(read_file("$source/$_->{path}"), $_);
        my $tests = @places ? sprintf ' (%d tests)', scalar tests_of($_) : '';
        print "$_->{path}:$_->{line}: $_->{kind}: $line$tests\n";
    }
    exit 0;
}

# ---- the copy ----

make_path($tree, $covers);
system("git ls-files -z | xargs -0 cp --parents -pt '$tree'") == 0 or die "mutate.pl: the tree cannot be copied\n";
utime undef, undef, "$tree/" . read_file("$work/changed") if -f "$work/changed";    # a run was stopped: build that file again
unlink "$work/changed";
chdir $tree or die "$tree: $!\n";
my $log = "$work/log";
sub quietly {
    my ($seconds, $command) = @_;
    return system('timeout', '-k', '5', $seconds, 'sh', '-c', "exec >'$log' 2>&1; $command") == 0;
}

# What links the library is linked once: the shared library of a change takes the place of the one before.
sub library_link {
    return quietly($option{timeout}, 'cd build && gcc -shared -Wl,-soname,$PWD/libinside.so -o libinside.so.new '
        . '$(cat inside-objects) && mv libinside.so.new libinside.so');
}
my $make = "make -s -j$option{j} LIBTOOL='sh ../tests/mutate/libtool.sh'";
sub tree_build {
    my $flags = '-O0 -g1 -fPIC -fvisibility=default -UNDEBUG';
    return quietly(3600, "{ [ -f configure ] || autoreconf -fi; } && mkdir -p build && cd build && gcc $flags -c -o cover.o ../tests/mutate/cover.c && "
        . "{ [ -f Makefile ] || ../configure -q --disable-shared --disable-hardening CFLAGS='$flags -fsanitize-coverage=trace-pc' LIBS=\$PWD/cover.o; } && "
        . "$make && $make -o libinside.la check-programs && "
        . q{printf 'objects:\n\t@echo $(libinside_la_OBJECTS) >inside-objects\n\t@echo $(COMPILE) >inside-compile\n' >inside.mk && make -s -f Makefile -f inside.mk objects});
}
tree_build() && library_link() or die "mutate.pl: the copy does not build; see $work/log\n";

# ---- the tests without any change ----

# Each block calls __sanitizer_cov_trace_pc, and returns to an address that the line table gives a line.
sub places_of {
    my ($binary, $base) = @_;
    my @returns;
    open my $code, '-|', 'objdump', '-d', '--no-show-raw-insn', "build/$binary" or die "objdump: $!\n";
    my $called = 0;
    while (<$code>) {
        push @returns, hex $1 if $called && /^\s*([0-9a-f]+):/;
        $called = /\b(?:call|bl)\b.*<__sanitizer_cov_trace_pc\b/ if /^\s*[0-9a-f]+:/;
    }
    write_file("$work/addresses", join '', map { sprintf "%x\n", $_ - 1 } @returns);
    my @lines = split /\n/, `addr2line -e 'build/$binary' <'$work/addresses'`;
    my @places;
    for my $i (0 .. $#returns) {
        my ($path, $line) = $lines[$i] =~ m{/((?:lib|src)/[^:]*):(\d+)} or next;
        push @places, sprintf "%s:%d %d\n", $path, $line, $base + $returns[$i];
    }
    return @places;
}

# Runs a test. A change may loop or take all memory: both are bounded.
sub test_passes {
    my ($test, $seconds, $environment) = @_;
    my $run = $test =~ /\.t$/ ? "perl ../$test" : "./$test";
    return quietly($seconds, "ulimit -v 8000000; cd build && srcdir=.. builddir=. $environment exec $run");
}

# A test that fails without any change is left out.
sub test_cover {
    my ($test) = @_;
    my ($start, $map, $bits) = (time, "$log.executed", '');
    write_file($map, '');
    truncate $map, 16 << 20;
    my $passed = test_passes($test, $option{timeout}, "MUTATE_COVER='$map'");
    print "left out: $test fails without any change\n" if !$passed;
    if ($passed) {
        my $seen = read_file($map);
        vec($bits, $_, 1) = vec($seen, $places[$_], 8) for grep { $places[$_] < length $seen } 0 .. $#places;
    }
    write_file($covers . '/' . $test =~ tr{/}{_}r, $passed ? sprintf("%.1f\n", time - $start) . $bits : "\n");
}

# What was recorded holds as long as the programs are the same.
chomp(my $programs = `cat build/libinside.so build/opshift | sha256sum`);
if (!-f "$covers/programs" || read_file("$covers/programs") ne $programs) {
    unlink glob "$covers/*";
    write_file("$covers/places", join '', places_of('libinside.so', 0), places_of('opshift', 12 << 20));
    write_file("$covers/programs", $programs);
}
places_read();
my %wanted  = map { $_ => 1 } $option{near} ? map { keys %{ near_of($_->{path}) } } @chosen : @tests;
my @unknown = grep { $wanted{$_} && !defined $took{$_} } @tests;
for my $worker (1 .. $option{j}) {
    defined(my $child = fork) or die "mutate.pl: fork: $!\n";
    next if $child > 0;
    $log .= ".$worker";
    test_cover($unknown[$_]) for grep { $_ % $option{j} == $worker - 1 } 0 .. $#unknown;
    exit 0;
}
1 while wait > 0;
(%blocks, @places) = ();
places_read();
delete @took{ grep { $took{$_} eq '' } keys %took };

# ---- the changes ----

sub first_failure {
    for my $test (@_) {
        return $test unless test_passes($test, int(20 + 10 * $took{$test}), '');
    }
    return undef;
}

# Compiles the changed file, and links it. What was built before is kept, and put back by restore.
sub built {
    my ($path) = @_;
    my $object = $path =~ s/\.c$/.lo/r;
    return quietly($option{timeout}, "cd build && $make -o libinside.la opshift") if $path =~ m{^src/};
    return quietly($option{timeout}, "cd build && cp -p $object kept.o && \$(cat inside-compile) -c -o $object ../$path") && library_link();
}

sub restore {
    my ($path) = @_;
    return built($path) if $path =~ m{^src/};
    my $object = $path =~ s/\.c$/.lo/r;
    return quietly($option{timeout}, "cd build && touch -r ../$path kept.o && mv kept.o $object");
}

if (!@chosen) { exit 0 }
# Does the compiler make the same of both? Then no test can tell them apart.
sub is_same_code {
    my ($path, $text) = @_;
    my $compile = "\$(cat inside-compile) -I../src -Isrc -O2 -g0 -fno-sanitize-coverage=trace-pc -c ../$path -o";
    my $compiled = quietly($option{timeout}, "cd build && $compile changed.o");
    write_file("$tree/$path", $text);
    return $compiled && quietly($option{timeout}, "cd build && $compile kept-code.o && cmp changed.o kept-code.o");
}

my %sum;
for my $mutation (@chosen) {
    my $path = $mutation->{path};
    my $text = read_file("$tree/$path");
    my ($changed, $line) = mutated_line($text, $mutation);
    write_file("$tree/$path", $changed);
    my $where = "$path:$mutation->{line}: $mutation->{kind}: $line\n";
    my $became = 'not built';
    write_file("$work/changed", $path);
    if (built($path)) {
        my @near   = tests_of($mutation);
        my $failed = first_failure(@near);
        $found{"$path $failed"}++ if defined $failed;
        $became = defined $failed ? 'noticed' : is_same_code($path, $text) ? 'same code' : 'survived';
        $where .= "    no test executes it\n" if !@near;
    }
    $sum{ $mutation->{kind} }{$became}++;
    $sum{all}{$became}++;
    print "$became: $where" if $became ne 'noticed';
    write_file("$tree/$path", $text);
    restore($path) or die "mutate.pl: $path does not build any more; see $work/log\n";
    unlink "$work/changed";
}
library_link();
for my $kind ((sort grep { $_ ne 'all' } keys %sum), 'all') {
    my @counts = map { $sum{$kind}{$_} // 0 } 'noticed', 'not built', 'same code', 'survived';
    printf "%-8s %4d mutations: %d noticed, %d not built, %d the same code, %d survived\n", $kind, sum(@counts), @counts;
}
exit($sum{all}{survived} ? 1 : 0);
