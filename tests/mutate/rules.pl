#!/usr/bin/perl
# Changes one place of a rule's `replace` at a time and runs its examples: a change that no example notices is printed.
#   rules.pl --opshift FILE [--work DIR] [-j N] [--list] [RULE.yaml...]
# Changed are: operators, numbers, the order of inputs, attributes left out, comparisons and conditions. What cannot be
# loaded is counted apart: it is noticed by whoever writes it. Changes that equivalent-rules.tsv names are not tried.
# Without a RULE.yaml: every rule that replaces a node.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use Getopt::Long;

my %option = (work => 'build-mutate-rules', j => 2);
GetOptions(\%option, 'opshift=s', 'work=s', 'j=i', 'list') && $option{opshift}
    or die "rules.pl: see its first lines for the options\n";
my $here = dirname(__FILE__);
@ARGV = grep { read_file($_) =~ /^  - replace:/m } glob("$here/../../rules/opset-*/*.yaml") if !@ARGV;

my %swap;
for (qw(Add:Sub Mul:Div Min:Max Less:Greater And:Or Floor:Ceil ReduceSum:ReduceMax ReduceMean:ReduceSum ReduceProd:ReduceSum
        ReduceMin:ReduceMax Sin:Cos ArgMax:ArgMin LessOrEqual:Less GreaterOrEqual:Greater)) {
    my ($one, $other) = split /:/;
    $swap{$one}   //= $other;
    $swap{$other} //= $one;
}

my $flags = join '|', qw(align_corners allowzero antialias ceil_mode count_include_pad exclude_outside exclusive fmod inverse
                         keepdims linear_before_reset noop_with_empty_axes onesided periodic reverse saturate sorted storage_order);

sub read_file {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

# Changes without an effect: the rule, its line after the change, and why. A tab separates them.
sub equivalents {
    my %known;
    for (grep { !/^#/ && /\t/ } split /\n/, read_file("$here/equivalent-rules.tsv")) {
        my ($path, $line) = split /\t/;
        $known{"$path\t$line"} = 0;
    }
    return \%known;
}

# The changes of an expression: [kind, text].
sub of_expression {
    my ($text) = @_;
    my $end = $text =~ m{^(?:[^#"]|"[^"]*")*(?=# )} ? $+[0] : length $text; # a comment is left alone
    my @found;
    my $put = sub { my ($kind, $from, $length, $new) = @_; return if $from >= $end; my $copy = $text; substr($copy, $from, $length) = $new; push @found, [$kind, $copy] };
    while ($text =~ /(?<![\w.'])(\d+)(?![\w.'])/g) { $put->('number', $-[1], length $1, $1 + 1) }
    while ($text =~ /(?<![\w'])(\d+\.\d+)(?![\w'])/g) { $put->('number', $-[1], length $1, $1 + 1) }
    my %other = ('==' => '!=', '!=' => '==', '<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '+' => '-', '-' => '+', '*' => '+', '/' => '*');
    while ($text =~ m{ (==|!=|<=|>=|<|>|\+|-|\*|/) }g) { $put->('operator', $-[1], length $1, $other{$1}) }
    while ($text =~ /\b(min|max)\(/g) { $put->('operator', $-[1], 3, $1 eq 'min' ? 'max' : 'min') }
    while ($text =~ /\b(and|or)\b/g) { $put->('operator', $-[1], length $1, $1 eq 'and' ? 'or' : 'and') }
    while ($text =~ /\bnot (?=[(\w])(?!in\b)/g) { $put->('condition', $-[0], 4, '') }
    return @found;
}

# The changes of a line of a body.
sub of_node {
    my ($line) = @_;
    my @found;
    return if $line =~ /^\s*#/;
    my $put = sub { my ($kind, $from, $length, $new) = @_; my $copy = $line; substr($copy, $from, $length) = $new; push @found, [$kind, $copy] };
    while ($line =~ /\b(?:if|for \w+ in) (.*?):(?: |$)/g) {
        my ($from, $length, $condition) = ($-[1], length $1, $1);
        $put->('condition', $from, $length, "not ($condition)") if substr($line, $from - 3, 3) eq 'if ';
        $put->($_->[0], $from, $length, $_->[1]) for of_expression($condition);
    }
    while ($line =~ /\$\{([^{}]*)\}/g) { my ($from, $length) = ($-[1], length $1); $put->($_->[0], $from, $length, $_->[1]) for of_expression($1) }
    while ($line =~ /= ([A-Z]\w*) (?=[<(])/g) { $put->('operator', $-[1], length $1, $swap{$1}) if $swap{$1} }
    my $commutes = $line =~ /= (?:Add|Mul|Max|Min|And|Or|Xor|Equal|Sum|BitwiseAnd|BitwiseOr|BitwiseXor) (?=[<(])/;
    while ($line =~ /\((\w+|\$\{.*?\}|\w*\$\w+), (\w+|\$\{.*?\}|\w*\$\w+)(?=[,)])/g) { $put->('order', $-[1], $+[2] - $-[1], "$2, $1") if $1 ne $2 && !$commutes }
    while ($line =~ /<((?:[^<>]|<[^<>]*>)*)>/g) {
        my ($from, $all) = ($-[1], $1);
        my @parts = split /, (?=\w+ (?:: \w+ )?=)/, $all;
        next if $all =~ /^(?:value|to|body)/ || $line =~ /= (?:Gather <axis = 0>|Squeeze <axes = \[0\]>) /; # without a default
        for my $i (0 .. $#parts) {
            $put->('attribute', $from, length $all, join ', ', @parts[grep { $_ != $i } 0 .. $#parts]);
        }
    }
    my $plain = $line =~ s/\$\{[^{}]*\}/' ' x length $&/ger;
    while ($plain =~ /((?:\b(?:$flags) )?)[={\[,]\s*(-?\d+)(?![\w.\]])/g) { $put->('number', $-[2], length $2, $1 eq '' ? $2 + 1 : 1 - $2) }
    while ($plain =~ /(?<![\w\$@])(-?\d+\.\d+)(?!\w)/g) { $put->('number', $-[1], length $1, $1 + 1) }
    return map { my $new = $_; $new->[1] =~ s/ <> / /; $new } @found;
}

# All changed copies of a file: [line, kind, lines].
sub changes {
    my (@lines) = @_;
    my ($in, $part, %seen, @all) = (0, '');
    for my $i (0 .. $#lines) {
        $in = 0 if $lines[$i] =~ /^(?:  - |\w)/;
        $in = 1 if $lines[$i] =~ /^  - replace:/;
        next unless $in;
        $part = $1 if $lines[$i] =~ /^      (when|let|body|kind|opset|assume)\b/;
        my @new = $part eq 'body' ? ($lines[$i] =~ /^      body/ ? () : of_node($lines[$i]))
                : $part =~ /^(?:when|let)$/ ? of_expression($lines[$i]) : ();
        push @new, ['condition', $lines[$i] =~ s/^(      when: "?)(.*?)("?)$/$1not ($2)$3/r] if $lines[$i] =~ /^      when: (?:"[^"]*"|[^"]*)$/;
        for (@new) {
            next if $_->[1] eq $lines[$i] || $seen{"$i $_->[1]"}++;
            my @copy = @lines;
            $copy[$i] = $_->[1];
            push @all, [$i + 1, $_->[0], $_->[1], \@copy];
        }
    }
    return @all;
}

# Runs one of the workers; prints a line for each change that survives.
sub work {
    my ($number, $path, $all) = @_;
    my ($opset) = basename(dirname($path));
    my $directory = "$option{work}/$number/$opset";
    make_path($directory);
    my %count = (noticed => 0, unloadable => 0, survived => 0);
    for my $i (grep { $_ % $option{j} == $number } 0 .. $#$all) {
        my ($line, $kind, $new, $lines) = @{$all->[$i]};
        my $file = "$directory/" . basename($path);
        open my $out, '>', $file or die "$file: $!\n";
        print $out "$_\n" for @$lines;
        close $out;
        my $status = system("timeout 20 $option{opshift} rules check $file >$option{work}/$number/out 2>&1") >> 8;
        $count{$status == 0 ? 'survived' : $status == 1 || $status == 124 ? 'noticed' : 'unloadable'}++;
        print "$path:$line: $kind: ", $new =~ s/^\s+//r, "\n" if $status == 0;
    }
    return \%count;
}

make_path($option{work});
my $known = equivalents();
my %total = (caught => 0, equal => 0, open => 0);
$| = 1;
for my $path (@ARGV) {
    my $rule = $path =~ s{.*(?=rules/opset-)}{}r;
    my (@all, %sum);
    for (changes(split /\n/, read_file($path))) {
        my $key = "$rule\t" . $_->[2] =~ s/^\s+//r;
        exists $known->{$key} ? do { $known->{$key}++; $total{equal}++; $sum{equal}++ } : push @all, $_;
    }
    print "$path:$_->[0]: $_->[1]: $_->[2]\n" for $option{list} ? @all : ();
    next if $option{list};
    my @pipes;
    for my $number (0 .. $option{j} - 1) {
        my $pid = open(my $pipe, '-|') // die "fork: $!\n";
        if ($pid == 0) {
            my $count = work($number, $path, \@all);
            print "= $count->{noticed} $count->{unloadable} $count->{survived}\n";
            exit 0;
        }
        push @pipes, $pipe;
    }
    for my $pipe (@pipes) {
        while (<$pipe>) {
            if (/^= (\d+) (\d+) (\d+)/) { $sum{noticed} += $1; $sum{unloadable} += $2; $sum{survived} += $3 }
            else { print }
        }
    }
    printf "%s: %d caught, %d cannot be loaded, %d equal by reason, %d open\n", $path, @sum{qw(noticed unloadable)}, $sum{equal} // 0, $sum{survived};
    $total{caught} += $sum{noticed} + $sum{unloadable};
    $total{open}   += $sum{survived};
}
my %read = map { s{.*(?=rules/opset-)}{}r => 1 } @ARGV;
for (sort grep { !$known->{$_} && $read{s/\t.*//r} } keys %$known) {
    print "equivalent-rules.tsv: there is no such change: $_\n";
    $total{open}++;
}
printf "%d caught, %d equal by reason, %d open\n", @total{qw(caught equal open)} if !$option{list};
remove_tree($option{work});
exit($total{open} ? 1 : 0);
