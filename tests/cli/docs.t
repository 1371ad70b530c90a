#!/usr/bin/perl
# The examples in README.md, rules/README.md and docs/ do what is shown. Of the fenced blocks of a document, in their order, in one
# directory of its own:
#   ```LANGUAGE file=NAME   becomes the file NAME
#   ```console              is a session: each line '$ COMMAND' is run by sh, and the lines below are its whole output;
#                           '...' stands for any text, as a line of its own for any lines
#   ```python               is run, all blocks of the document as one program, then its functions test_...; none must fail
#   ```js                   the same, as a module of Node.js, where the npm package is built
#   ```yaml                 parses; what it gives to our GitHub Action and pre-commit hook exists
#   ```c of=FILE            stands, but for its spacing, in FILE, which tests/cli/install.t compiles
# Other blocks are only shown, as are those with the word 'shown' behind the language.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use Test::More;

sub check {
    my ($right, $what, @more) = @_;
    ok($right, $what) or diag(join "\n", @more);
}

sub left_out {
    my ($what, $why) = @_;
    SKIP: { skip "$what: $why", 1 }
}

# The fenced blocks: {info, text, line}.
sub blocks {
    my ($path) = @_;
    my (@blocks, $block, $indent);
    my $line = 0;
    for (split /\n/, read_file($path)) {
        $line++;
        if ($block) {
            if (/^\s*```\s*$/) {
                push @blocks, $block;
                $block = undef;
            } else {
                my $text = $_;
                $text =~ s/^ {0,$indent}//;
                $block->{text} .= "$text\n";
            }
        } elsif (/^( *)```\s*(.*?)\s*$/) {
            $indent = length $1;
            $block = {info => $2, text => '', line => $line};
        }
    }
    return @blocks;
}

# The commands of a session: {command, wanted, line}.
sub commands {
    my ($block) = @_;
    my @commands;
    my $line = $block->{line};
    for (split /\n/, $block->{text}) {
        $line++;
        if (@commands && $commands[-1]{command} =~ /\\$/) {
            $commands[-1]{command} .= "\n$_";
        } elsif (s/^\$ //) {
            push @commands, {command => $_, wanted => '', line => $line};
        } elsif (@commands) {
            $commands[-1]{wanted} .= "$_\n";
        } else {
            die "line $line: a session begins with '\$ COMMAND'\n";
        }
    }
    return @commands;
}

# What output is wanted, as a pattern.
sub pattern {
    my ($wanted) = @_;
    return join '', map {
        $_ eq "...\n" ? '(?:.*\n)*?' : join '.*', map {quotemeta} split /\.\.\./, $_, -1
    } $wanted =~ /(.*\n)/g;
}

# Makes the files and runs the commands in one shell, which keeps $?, and compares what each prints.
sub run_sessions {
    my ($name, @commands) = @_;
    my $script = '';
    for my $i (0 .. $#commands) {
        my $file = $commands[$i]{file};
        if (defined $file) {
            write_file(".file.$i", $commands[$i]{text});
            $script .= "mkdir -p './$file' && rmdir './$file' && cp .file.$i './$file'\n";
        } else {
            $script .= "{ $commands[$i]{command}\n} >.out.$i 2>&1 </dev/null\n";
        }
    }
    write_file('.script', $script);
    system 'sh', '.script';
    for my $i (grep {!defined $commands[$_]{file}} 0 .. $#commands) {
        my ($first) = $commands[$i]{command} =~ /(.*)/;
        my $seen = -e ".out.$i" ? read_file(".out.$i") : "(not run)\n";
        my $right = pattern($commands[$i]{wanted});
        check(scalar($seen =~ /^$right\z/), "$name:$commands[$i]{line}: $first", "wanted:",
            $commands[$i]{wanted}, "seen:", $seen);
    }
}

# A line '...' stands for what is left out.
sub check_parts {
    my ($name, @parts) = @_;
    my $bare = sub { join ' ', split ' ', $_[0] };
    for my $part (@parts) {
        my ($path) = $part->{info} =~ /\bof=(\S+)/;
        my $left = -e "$srcdir/$path" ? $bare->(read_file("$srcdir/$path")) : '';
        my $all = 1;
        for my $piece (map {$bare->($_)} split /^\s*(?:\/\* )?\.\.\.(?: \*\/)?\n/m, $part->{text}) {
            my $at = index $left, $piece;
            $all = 0 if $at < 0;
            $left = substr $left, $at + length $piece if $at >= 0;
        }
        check($all, "$name:$part->{line}: stands in $path", $part->{text});
    }
}

sub run_program {
    my ($name, $what, $why_not, $file, $command, @parts) = @_;
    return unless @parts;
    return left_out("$name: $what", $why_not) if $why_not;
    # Empty lines keep the numbers of the document's lines.
    my $program = '';
    for (@parts) {
        $program .= "\n" x ($_->{line} - ($program =~ tr/\n//)) . $_->{text};
    }
    $program .= "for name in [n for n in dir() if n.startswith('test_')]:\n    globals()[name]()\n" if $file =~ /py$/;
    write_file($file, $program);
    my $status = system "$command $file >.program 2>&1 </dev/null";
    check($status == 0, "$name: $what", read_file('.program'));
}

sub check_names {
    my ($name, @names) = @_;
    my $text = read_file("$srcdir/$name");
    my %missing = map {$_ => 1} grep {$text !~ /\b$_\b/} @names;
    check(@names > 9 && !%missing, "$name: every function is named", sort keys %missing);
}

# ---- YAML ----
my @yaml;

sub check_yaml {
    return left_out('YAML', 'python3-yaml is not here') if system "/usr/bin/python3 -c 'import yaml' 2>/dev/null";
    for my $i (0 .. $#yaml) {
        write_file("$work/yaml/$i", $yaml[$i]{text});
    }
    write_file("$work/yaml/check.py", <<'END');
import sys, yaml

def check(read):
    for job in read.get("jobs", {}).values():
        for step in job["steps"]:
            if "/opshift@" in step.get("uses", ""):
                assert set(step["with"]) <= set(inputs), step["with"]
    for repository in read.get("repos", ()):
        assert all(hook["id"] in hooks for hook in repository["hooks"]), repository


source, *blocks = sys.argv[1:]
inputs = yaml.safe_load(open(source + "/action.yml"))["inputs"]
hooks = [hook["id"] for hook in yaml.safe_load(open(source + "/.pre-commit-hooks.yaml"))]
for block in blocks:
    try:
        read = yaml.safe_load(open(block))
        check(read if isinstance(read, dict) else {})
    except Exception as error:
        print(block, repr(error))
END
    my $paths = join ' ', map {"'$work/yaml/$_'"} 0 .. $#yaml;
    my %told = map {m{^\Q$work\E/yaml/(\d+) (.*)} ? ($1, $2) : ('failed', $_)} split /\n/, `/usr/bin/python3 '$work/yaml/check.py' '$srcdir' $paths 2>&1`;
    for my $i (0 .. $#yaml) {
        check(!$told{$i} && !$told{failed}, "$yaml[$i]{name}:$yaml[$i]{line}: is YAML, of keys that exist", $told{$i} // $told{failed});
    }
}

# ---- options ----

# The options of all commands, and of ./bootstrap.
my %options = ('--no-install' => 1);
for my $command (read_file("$srcdir/src/Makefile.inc") =~ m{src/cmd_(\w+)\.c}g) {
    $options{$_} = 1 for `'$opshift' $command --help` =~ /(?<![\w-])(--[a-z0-9][a-z0-9-]*)/g;
}

# Options that a document names as code and no command has.
sub check_options {
    my ($name, $text) = @_;
    $text =~ s/^```.*?^```$//gms;
    my %unknown;
    for my $code ($text =~ /`([^`\n]*--[^`\n]*)`/g) {
        next if $code !~ /^(?:--(?!enable|disable)|opshift |[a-z]+ --)/;
        $unknown{$_} = 1 for grep {!$options{$_}} $code =~ /(?<![\w-])(--[a-z0-9][a-z0-9-]*)/g;
    }
    check(!%unknown, "$name: every option that it names exists", sort keys %unknown);
}

# ---- what the programs need ----
mkdir "$work/bin";
symlink $opshift, "$work/bin/opshift";
$ENV{PATH} = "$work/bin:$ENV{PATH}";
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS PYTHONPATH)};
@ENV{qw(LC_ALL PYTHONDONTWRITEBYTECODE)} = ('C', 1);

my $python_missing = '';
my $python = '/usr/bin/python3';
if (!-e "$builddir/.libs/libopshift.so") {
    $python_missing = 'built without a shared library';
} elsif (system "$python -c 'import numpy' 2>/dev/null") {
    $python_missing = 'python3-numpy is not here';
} else {
    # The package from its source: its own declarations, and the library of this build.
    mkdir $_ for "$work/python", "$work/python/opshift";
    system "cp '$srcdir'/python/opshift/*.py '$work/python/opshift'";
    symlink "$builddir/.libs/libopshift.so", "$work/python/opshift/libopshift.so";
    my $made = system "$python -c 'import sys; sys.path.insert(0, sys.argv[1]); import mirror;"
        . " open(sys.argv[2], \"w\").write(mirror.write(mirror.HEADER.read_text()))'"
        . " '$srcdir/python' '$work/python/opshift/_library.py' >'$work/mirror.log' 2>&1";
    $python_missing = 'the declarations were not made: ' . read_file("$work/mirror.log") if $made;
    $ENV{PYTHONPATH} = "$work/python";
}

my $package = $ENV{OPSHIFT_NPM} || "$srcdir/build-web/npm";
my $major = `node -p 'process.versions.node.split(".")[0]' 2>/dev/null` || 0;
my $js_missing = !-e "$package/opshift.wasm" ? 'make wasm has not been run' : $major < 18 ? 'Node.js 18 is not here' : '';

for my $path ("$srcdir/README.md", "$srcdir/rules/README.md", sort glob "\"$srcdir\"/docs/*.md") {
    my $name = substr $path, length "$srcdir/";
    my @blocks = blocks($path);
    next unless @blocks;
    my $directory = "$work/" . $name =~ s/\W/_/gr;
    mkdir $directory;
    chdir $directory or die "$directory: $!";
    symlink "$srcdir/$_", $_ for qw(tests examples);
    my (@commands, @python, @js, @parts);
    for my $block (@blocks) {
        push @yaml, {name => $name, line => $block->{line}, text => $block->{text}} if $block->{info} =~ /^yaml\b/;
        my ($language) = $block->{info} =~ /^(\S*)/;
        next if $block->{info} =~ /\bshown\b/;
        if ($block->{info} =~ /\bfile=(\S+)/) {
            push @commands, {file => $1, text => $block->{text}};
        } elsif ($language eq 'console') {
            push @commands, commands($block);
        } elsif ($block->{info} =~ /\bof=/) {
            push @parts, $block;
        } elsif ($language eq 'python') {
            push @python, $block;
        } elsif ($language eq 'js') {
            push @js, $block;
        }
    }
    run_sessions($name, @commands);
    check_parts($name, @parts);
    run_program($name, 'its Python', $python_missing, '.program.py', $python, @python);
    if (@js && !$js_missing) {
        mkdir 'node_modules';
        symlink $package, 'node_modules/opshift';
    }
    run_program($name, 'its JavaScript', $js_missing, '.program.mjs', 'node', @js);
}
chdir $work;
check_yaml();
# Functions and errors of the packages are named in their guides.
my ($modules) = read_file("$srcdir/python/opshift/__init__.py") =~ /^_PLACES = \{(.*?)^\}/ms;
my @python_names = map {/^ *"_results"/ ? () : /"(\w+)"/g} $modules =~ /("\w+": \(.*?\),\n)/gs;
check_names('docs/python.md', grep {!/^_/} @python_names);
check_names('docs/javascript.md', read_file("$srcdir/web/npm/index.d.ts") =~ /^export (?:function|class) (\w+)/gm);
for my $path (map {glob "\"$srcdir\"/$_"} '*.md', 'docs/*.md', 'rules/*.md', 'rules/targets/*.md', 'packaging/*.md') {
    check_options(substr($path, length "$srcdir/"), read_file($path)) unless $path =~ /CHANGES/;
}
done_testing();
