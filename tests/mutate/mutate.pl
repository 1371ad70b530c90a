#!/usr/bin/perl
# Changes one place of the source at a time and runs the tests: a change that no test notices is printed.
#   mutate.pl --source DIR --work DIR [--count N] [--seed N] [--only GLOB] [--kind KIND] [--list] [--trust] [-j N]
# --trust: the tests pass without any change, and are not run for that first.
# The tree is copied to the work directory and built there; the source is not touched.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use Getopt::Long;

my %option = (count => 40, seed => 1, only => '*', kind => '', j => 2, source => '.', timeout => 900);
GetOptions(\%option, 'source=s', 'work=s', 'count=i', 'seed=i', 'only=s', 'kind=s', 'list', 'trust', 'j=i', 'timeout=i')
    or die "mutate.pl: see its first lines for the options\n";
my $source = abs_path($option{source});
my $work   = $option{work} // "$source/build-mutate";

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
    [limit   => qr/(?<=_MAX )(?:UINT64_C\()?\d+\)?/,     sub { 'INT32_MAX' }],
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
    my $pattern = join '.*', map { quotemeta } split /\*/, $option{only}, -1;
    return $path =~ /^$pattern$/;
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

# Known to change nothing that a test could see: file, the line as it stands, what replaces what, and why.
sub equivalents {
    my %known;
    my $list = dirname(abs_path($0)) . '/equivalent.tsv';
    return \%known unless -e $list;
    for (grep { !/^#/ && /\t/ } split /\n/, read_file($list)) {
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
@all = grep { my (undef, $line) = mutated_line(read_file("$source/$_->{path}"), $_); !$known->{"$_->{path}\t$line"} } @all;
my @chosen;
for (1 .. $option{count}) {
    last unless @all;
    push @chosen, splice @all, int rand @all, 1;
}
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
quietly(1800, "{ [ -f configure ] || autoreconf -fi; } && mkdir -p build && cd build && "
    . "{ [ -f Makefile ] || ../configure -q --disable-shared CFLAGS='-O0 -UNDEBUG'; } && make -s -j$option{j} && make -s -j$option{j} check TESTS=")
    or die "mutate.pl: the copy does not build; see $work/log\n";

my @programs = map { s/\.c$//r } grep { m{-t\.c$} } glob 'tests/*/*.c';
# cost.t counts instructions of an optimised build.
my @scripts = grep { $_ !~ /cost\.t$/ } glob 'tests/cli/*.t tests/fault/*.t tests/convert/*.t tests/verify/*.t';

# The tests of the directory first: most changes end there.
sub tests_of {
    my ($path) = @_;
    my ($first) = $path =~ m{^lib/(\w+)/} ? $1 : 'cli';
    my ($near, $far) = ([], []);
    for my $test (@programs, @scripts) {
        my $list = index($test, "tests/$first/") == 0 ? $near : $far;
        push @$list, $test;
    }
    return ($near, $far);
}

sub passes {
    my ($seconds, @tests) = @_;
    return 1 unless @tests;
    my @built = grep { !/\.t$/ } @tests;
    my @run = map { /\.t$/ ? "../$_" : $_ } @tests;
    return 0 if @built && !quietly($option{timeout}, "cd build && make -s -j$option{j} @built");
    return quietly($seconds, "cd build && srcdir=.. builddir=. prove -j$option{j} -Q -e '' @run");
}

$option{trust} || passes($option{timeout}, @programs, @scripts) or die "mutate.pl: the tests fail without any change; see $work/log\n";
my ($noticed, $unbuilt, @survived) = (0, 0);
for my $mutation (@chosen) {
    my $path = $mutation->{path};
    my $text = read_file("$tree/$path");
    my ($changed, $line) = mutated_line($text, $mutation);
    write_file("$tree/$path", $changed);
    my ($near, $far) = tests_of($path);
    my $where = "$path:$mutation->{line}: $mutation->{kind}: $line";
    if (!quietly($option{timeout}, "cd build && make -s -j$option{j} opshift")) {
        $unbuilt++;
        print "not built: $where\n";
    } elsif (passes($option{timeout}, @$near) && passes($option{timeout}, @$far)) {
        push @survived, $where;
        print "survived: $where\n";
    } else {
        $noticed++;
    }
    write_file("$tree/$path", $text);
}
printf "%d mutations: %d noticed, %d not built, %d survived\n", scalar @chosen, $noticed, $unbuilt, scalar @survived;
exit(@survived ? 1 : 0);
