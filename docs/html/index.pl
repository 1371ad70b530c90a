#!/usr/bin/perl
# Writes OUT/search-index.js, what docs/html/search.js searches: each section of each page with its words. index.pl OUT
use strict;
use warnings;
use utf8;
use File::Find;
use JSON::PP;

my $out = shift or die "index.pl OUT\n";
my @sections;

sub words {
    my ($text) = @_;
    $text =~ s/<[^>]*>/ /g;
    $text =~ s/&lt;/</g, $text =~ s/&gt;/>/g, $text =~ s/&quot;/"/g, $text =~ s/&#39;|&#x27;/'/g, $text =~ s/&amp;/&/g;
    $text =~ s/\s+/ /g;
    $text =~ s/^ | $//g;
    return $text;
}

sub page {
    my ($file) = @_;
    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    my $html = do { local $/; <$in> };
    my ($title) = $html =~ m{<title>(.*?)</title>}s;
    my ($main) = $html =~ m{<main[^>]*>(.*)</main>}s or return;
    $main =~ s{<details class="toc">.*?</details>}{}s;
    my $path = substr $file, length("$out/");
    my @parts = split m{(<h[1-4][^>]*>.*?</h[1-4]>)}s, $main;
    my ($heading, $id) = ('', '');
    for my $part (@parts) {
        if ($part =~ m{^<h[1-4]([^>]*)>(.*)</h}s) {
            ($heading, $id) = (words($2), $1 =~ /id="([^"]*)"/ ? $1 : '');
        } elsif ((my $text = words($part)) ne '') {
            push @sections, {page => words($title) =~ s/ · opshift$//r, at => $id eq '' ? $path : "$path#$id", heading => $heading, text => $text};
        }
    }
}

find({no_chdir => 1, wanted => sub { page($_) if /\.html$/ }}, $out);
@sections = sort { $a->{at} cmp $b->{at} } @sections;
open my $index, '>:raw', "$out/search-index.js" or die "$out/search-index.js: $!\n";
print $index 'const sections = ', JSON::PP->new->canonical->utf8->encode(\@sections), ";\n";
close $index or die "$out/search-index.js: $!\n";
