#!/usr/bin/perl
# Every relative link in the Markdown files, and in the HTML that `make html` builds of them, leads to a file and an anchor that
# exist; every document is reached from docs/index.md and every page from each page's navigation; pages request nothing from elsewhere.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use File::Basename qw(dirname);
use File::Find;
use Test::More;

sub none {
    my ($what, @faults) = @_;
    ok(!@faults, $what) or diag(join "\n", @faults);
}

# a/b/../c as a/c; undef above the top.
sub simple {
    my @parts;
    for (split m{/}, shift) {
        next if $_ eq '' || $_ eq '.';
        if ($_ eq '..') {
            return unless @parts;
            pop @parts;
        } else {
            push @parts, $_;
        }
    }
    return join '/', @parts;
}

# ---- Markdown ----

# The text without code, and the anchors of its headings as GitHub and pandoc make them.
sub parse {
    my ($path) = @_;
    my (@text, %anchors, $fence);
    for (split /\n/, read_file($path)) {
        if (/^\s*```/) {
            $fence = !$fence;
            next;
        }
        next if $fence || /^ {4}/ && !/^\s*(?:[-*]|\d+\.) /;
        if (/^#+\s+(.*?)\s*$/) {
            my $anchor = lc $1;
            $anchor =~ s/\[([^]]*)\]\([^)]*\)/$1/g;
            $anchor =~ s/[^\w\- ]//g;
            $anchor =~ s/ /-/g;
            $anchors{$anchors{$anchor} ? $anchor . '-' . $anchors{$anchor} : $anchor}++;
        }
        s/`[^`]*`/code/g;
        push @text, $_;
    }
    return {text => join("\n", @text), anchors => \%anchors};
}

my %documents;
for my $pattern ('*.md', 'docs/*.md', 'rules/*.md', 'rules/targets/*.md', 'packaging/*.md', 'bench/*.md', 'web/*.md') {
    for (glob "\"$srcdir\"/$pattern") {
        $documents{substr $_, length "$srcdir/"} = parse($_);
    }
}
my (@dead, %links);
for my $name (sort keys %documents) {
    for my $target ($documents{$name}{text} =~ /\]\(([^)\s]+)\)/g) {
        next if $target =~ /^[a-z][a-z0-9+.-]*:/i;
        my ($path, $anchor) = $target =~ /^([^#]*)#?(.*)$/;
        my $to = $path eq '' ? $name : simple(dirname($name) . "/$path");
        if (!defined $to || !-e "$srcdir/$to") {
            push @dead, "$name: $target: there is no such file";
            next;
        }
        push @{$links{$name}}, $to;
        push @dead, "$name: $target: there is no such heading"
            if $anchor ne '' && (!$documents{$to} || !$documents{$to}{anchors}{$anchor});
    }
}
none('every relative link in Markdown leads to a file and a heading', @dead);

my %seen = ('docs/index.md' => 1);
my @queue = keys %seen;
while (defined(my $name = shift @queue)) {
    push @queue, grep {$documents{$_} && !$seen{$_}++} @{$links{$name} || []};
}
none('every document is reached from docs/index.md', grep {!$seen{$_}} sort keys %documents);

# ---- HTML ----
my $missing = join ' and ', grep {system "command -v $_ >/dev/null"} qw(pandoc mandoc);
if ($missing) {
    SKIP: { skip "HTML: $missing is not here", 1 }
} else {
    my $html = "$work/a blank/html";
    mkdir "$work/a blank";
    my $log = `'$srcdir/docs/html/build' '$srcdir' '$builddir/man' '$html' 2>&1`;
    none('make html, without a warning', $? ? "status $?" : (), split /\n/, $log);
    my (%pages, %ids);
    find({no_chdir => 1, wanted => sub {
        return unless /\.html$/;
        my $name = substr $_, length "$html/";
        $pages{$name} = read_file($_);
        $ids{$name}{$1}++ while $pages{$name} =~ /\bid="([^"]*)"/g;
    }}, $html);
    my (@broken, @requests, @outside, %from);
    for my $name (sort keys %pages) {
        my $page = $pages{$name};
        my $plain = $page =~ s{<script defer src="(?:\.\./)*search(?:-index)?\.js"></script>\n}{}gr;
        $plain =~ s{<img src="(?:\.\./)*(?:docs/)?images/[a-z]+\.(?:png|svg)"[^>]*>}{}g;
        push @requests, "$name: $1" while $plain =~ /(<(?:script|img|iframe|object|embed|style)\b[^>]*>|\bstyle="[^"]*"|<link [^>]*href="[a-z]+:[^>]*>)/gi;
        my ($nav) = $page =~ m{<nav.*?</nav>}s ? $& : '';
        for my $target ($page =~ /\b(?:href|src)="([^"]*)"/g) {
            next if $target =~ /^[a-z][a-z0-9+.-]*:/i;
            my ($path, $anchor) = $target =~ /^([^#]*)#?(.*)$/;
            my $to = $path eq '' ? $name : simple(dirname($name) . "/$path");
            $anchor =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
            push @broken, "$name: $target" and next if !defined $to || !-f "$html/$to";
            push @broken, "$name: $target" if $anchor ne '' && !$ids{$to}{$anchor};
        }
        push @outside, "$name: no navigation" if $nav eq '';
        push @outside, "$name: no title" if $page !~ m{<title>\S.*</title>};
    }
    none('every link in HTML leads to a file and an anchor', @broken);
    none('a page requests nothing but the style sheet, the search and pictures of ours, and has no inline style', @requests);
    like(read_file("$html/search-index.js"), qr/"at":"docs\/glossary\.html#glossary"/, 'the search knows the sections');
    none('an id stands once in its page', map {my $name = $_; map {"$name: $_"} grep {$ids{$name}{$_} > 1} sort keys %{$ids{$name}}} sort keys %ids);
    none('every page has a title and the navigation', @outside);
    my ($nav) = ($pages{'index.html'} // '') =~ m{<nav.*?</nav>}s ? $& : '';
    none('every guide is in the navigation', grep {index($nav, $_) < 0}
        map {m{^docs/(.*)\.md$} && $1 ne 'hardening' ? "docs/$1.html" : ()} sort keys %documents);
}
done_testing();
