#!/usr/bin/perl
# No two structs, unions or enums of the tree share a tag, and none is written through a pointer of another type.
use strict;
use warnings;
use File::Find;

my $top = $ENV{srcdir} || '.';
my (%places, @casts);
find({no_chdir => 1, wanted => sub { tags($_) if /\.[ch]$/ }}, map {"$top/$_"} grep {-d "$top/$_"} qw(lib src helper tests bench examples));

sub tags {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    while (<$file>) {
        push @casts, "$path:$.: $_" if /\(void \*\*\)/ && $path !~ m{^\Q$top\E/tests/};
        push @{$places{$2}}, "$path:$. ($1)" while /\b(struct|union|enum)\s+(\w+)\s*\{/g;
    }
}

my @shared = grep {@{$places{$_}} > 1} sort keys %places;
print "1..3\n";
print keys %places > 500 ? '' : 'not ', "ok 1 - tags are found\n";
print @shared ? 'not ' : '', "ok 2 - each tag stands for one thing\n";
print "# $_: @{$places{$_}}\n" for @shared;

# A compiler that sees the whole program keeps the old pointer.
print @casts ? 'not ' : '', "ok 3 - no pointer to a pointer is cast to void **\n";
print "# $_" for @casts;
