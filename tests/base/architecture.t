#!/usr/bin/perl
# ARCHITECTURE.md is one page, every file and function that it names exists, and lib/ includes as its map says.
use strict;
use warnings;
use File::Find;

my $top = $ENV{srcdir} || '.';
my (@lines, %defined, @missing, $directory);

sub lines_of {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    chomp(my @all = <$file>);
    return @all;
}

# <name> stands for any name, NN for two digits.
sub path_exists {
    my ($path) = @_;
    $path =~ s/<\w+>/*/g;
    $path =~ s/\bNN\b/[0-9][0-9]/g;
    return 1 if grep {-e} glob "$top/$path";
}

@lines = lines_of("$top/ARCHITECTURE.md");
find({no_chdir => 1, wanted => sub {
    return unless /\.[ch]$/;
    for (lines_of($_)) {
        $defined{$1} = 1 if /^[a-z].*?\b(\w+)\(/;
        $defined{$1} = 1 if /^\s*struct (\w+) \{/;
    }
}}, map {"$top/$_"} qw(lib src helper));
for my $line (@lines) {
    push @missing, $1 while $line =~ /`([a-z]+_[a-z_]+)`/g and !$defined{$1};
    for ($line =~ /`([^` ]+)`/g) {
        push @missing, $_ if m{/} && !path_exists($_);
        push @missing, $_ if $_ eq 'compatible.yaml' && !path_exists("rules/opset-NN/$_");
    }
    next unless $line =~ m{^    ([a-z][\w./]*)\s+(.*)};
    my ($named, $about) = ($1, $2);
    push @missing, $named unless path_exists($named);
    for ($about =~ m{(\b[\w/]+\.(?:c|h|jsonl))\b}g) {
        push @missing, "$named $_" unless path_exists(m{/} ? $_ : "$named$_");
    }
}
@missing = grep {!/^(command|kernel)_list$/} @missing;

# The map: `a <- b <- {c, d}`. What stands further right includes what stands further left.
my ($arrow) = join(' ', @lines) =~ /Includes point left:\s*`opshift\.h <- (.*?)`/;
my @stages = split / <- /, $arrow // '';
my (%stage, @against);
for my $at (0 .. $#stages) {
    $stage{$_} = $at for $stages[$at] =~ /\w+/g;
}
for my $directory (grep {-d} glob "$top/lib/*") {
    my ($from) = $directory =~ m{(\w+)$};
    next if $from eq 'opshift';
    push @against, "lib/$from is not in the map" unless defined $stage{$from};
    for my $path (glob "$directory/*.[ch]") {
        for (lines_of($path)) {
            my ($to) = m{^#include "(\w+)/} or next;
            next if $to eq $from || !-d "$top/lib/$to";
            push @against, "$path: $_" unless ($stage{$to} // 99) < ($stage{$from} // -1);
        }
    }
}
my @wide = grep {length > 150} @lines;
print "1..4\n";
print @lines <= 125 ? '' : 'not ', "ok 1 - it is one page\n";
print @wide ? 'not ' : '', "ok 2 - of lines that fit\n";
print @missing ? 'not ' : '', "ok 3 - what it names exists\n";
print @stages > 5 && !@against ? '' : 'not ', "ok 4 - includes point left\n";
print "# $_\n" for @wide, @missing, @against;
