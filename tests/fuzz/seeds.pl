#!/usr/bin/perl
# seeds.pl SOURCES BUILD INTO: makes a directory of seeds for each fuzz target, from texts only: the models of the tests,
# the shipped rules, and tests/fuzz/corpus, where each file once caused a fault, or is one that mutations hardly find.
# There, NAME.hex is bytes in hexadecimal with comments, and NAME.txt for a target that reads binary models one in
# ONNX's textual syntax.
use strict;
use warnings;
use File::Basename;
use File::Path 'make_path';

my ($sources, $build, $into) = @ARGV;
my %of_models = map { $_ => 1 } qw(open lint convert run);
my $opshift = "$build/opshift";

sub slurp {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

sub seed {
    my ($target, $name, $bytes) = @_;
    make_path("$into/$target");
    open my $file, '>:raw', "$into/$target/$name" or die "$into/$target/$name: $!\n";
    print $file $bytes;
    close $file or die "$into/$target/$name: $!\n";
}

sub assemble {
    my ($path) = @_;
    open my $pipe, '-|:raw', $opshift, 'assemble', $path, '-o', '-' or die "$opshift: $!\n";
    local $/;
    my $bytes = <$pipe>;
    close $pipe or die "$path: does not assemble\n";
    return $bytes;
}

sub unhex {
    my $text = slurp($_[0]);
    $text =~ s/#.*//mg;
    $text =~ s/\s//g;
    die "$_[0]: no hexadecimal\n" if $text =~ /[^0-9a-f]/i || length($text) % 2;
    return pack 'H*', $text;
}

# Models: some of each kind; the last byte of a seed of convert is the target opset.
my @matrix = sort glob "$sources/tests/models/matrix/*.txt";
my @models = ("$sources/tests/models/sample.txt", sort(glob "$sources/tests/models/judge/*.txt"),
    @matrix[grep { $_ % 12 == 0 } 0 .. $#matrix]);
my @opsets = (1, 10, 13, 18, 28);
for my $i (0 .. $#models) {
    my ($name, $bytes) = (basename($models[$i], '.txt'), assemble($models[$i]));
    seed($_, $name, $bytes) for qw(open lint run);
    seed('convert', "$name-$_", $bytes . chr($_ - 1)) for $opsets[$i % @opsets], $opsets[($i + 2) % @opsets];
    seed('text', $name, slurp($models[$i]));
}

for my $rule (glob "$sources/rules/opset-*/*.yaml") {
    seed('rules', basename(dirname($rule)) . '-' . basename($rule), slurp($rule)) if -s $rule < 4000;
}

seed('target', basename($_), slurp($_)) for glob "$sources/rules/targets/*.yaml";

for my $path (glob "$sources/tests/fuzz/corpus/*/*") {
    my ($name, $directory, $ending) = fileparse($path, qr/\.[a-z]+$/);
    my $target = basename($directory);
    my $bytes = $ending eq '.hex' ? unhex($path) : $of_models{$target} ? assemble($path) : slurp($path);
    $bytes .= chr(12) if $target eq 'convert' && $ending ne '.hex';
    seed($target, $name, $bytes);
}
