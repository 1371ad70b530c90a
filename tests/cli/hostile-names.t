#!/usr/bin/perl
# Names in models, in other files and of files that contain control characters, bidirectional marks, invisible
# characters, or commands of
# CI systems: every command escapes them, in every format.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use Test::More;

# Bytes that no output may contain.
my $hostile = "::error::a\e[31m\n ::error::b\r##[error]c\xc2\x9b31m\xe2\x80\xaed\xe2\x80\x8be\xef\xbb\xbf\xff\x7f\t##vso[task]f\xf3\xa0\x80\xa1";
my $quoted = join '', map { sprintf '\\x%02x', ord } split //, $hostile;

# The fault in an output; '' for none.
sub fault {
    my ($text) = @_;
    return sprintf 'the byte 0x%02x', ord $1 if $text =~ /([\x00-\x09\x0b-\x1f\x7f])/;
    return 'a workflow command' if $text =~ /^\s*::(?!(?:error|warning|notice) file=[^\n:]+::)/m;
    return 'another workflow command' if $text =~ /^[^\n]*\n?\s*::error::/m && $text =~ /^\s*::error::/m;
    return 'a log command' if $text =~ /##[A-Za-z]*\[/;
    my $copy = $text;
    return 'bytes that are no UTF-8' unless utf8::decode($copy);
    return sprintf 'U+%04X', ord $1 if $copy =~ /([\x{80}-\x{9f}\p{Cf}\p{Default_Ignorable_Code_Point}\x{2028}\x{2029}])/;
    return '';
}

# clean WHAT, [FILES], ARGUMENT...: the outputs and the files contain no forbidden bytes.
sub clean {
    my ($what, $files, @arguments) = @_;
    my ($status, $out, $err) = run(@arguments);
    ok($status <= 4, "$what: ends as documented") or diag("status $status");
    for my $file ('.out', '.err', @$files) {
        my $text = read_file("$work/$file");
        my $why = fault($text);
        ok($why eq '', "$what: $file") or diag("$why\n", substr($text, 0, 1500) =~ s/[^\n\x20-\x7e]/?/gr);
    }
    return $out . $err;
}

mkdir 'places';
my $model = "places/$hostile.onnx";
$model =~ s{/(?=[^/]*/)}{/};
my $text = <<"END";
< ir_version: 8, opset_import: ["" : 13, "$quoted" : 1], producer_name: "$quoted", metadata_props: ["$quoted" : "$quoted"] >
"$quoted" (float["$quoted", 6] "x$quoted") => (float["$quoted", 2] "a$quoted", float["$quoted", 4] "b$quoted")
< int64[2] "l$quoted" = {2, 4}, float[2] "w$quoted" = ["location" : "$quoted", "offset" : "$quoted"] >
{
    ["n$quoted"] "a$quoted", "b$quoted" = Split <axis = -1> ("x$quoted", "l$quoted")
    ["m$quoted"] "c$quoted" = "$quoted"."$quoted" <"k$quoted" : string = "$quoted"> ("a$quoted")
    "c$quoted" = "$quoted" ("w$quoted")
}
END
write_file('net.txt', $text);
clean('assemble', [], 'assemble', 'net.txt', '-o', $model);
ok(-s $model, 'there is a model with such names') or diag(read_file('.err'));
my $plain = "places/plain$hostile.onnx";
my $utf8 = $hostile =~ s/\xff//r; # names must be UTF-8
my $named = $quoted =~ s/\\xff//r;
write_file('plain.txt', <<"END");
< ir_version: 8, opset_import: ["" : 13] >
"$named" (float["$named", 6] "x$named", string["$named"] "s$named") => (float["$named", 2] "a$named", float["$named", 4] "b$named", string[1] "t$named")
< int64[2] "l$named" = {2, 4}, string[1] "v$named" = {"$named"} >
{
    ["n$named"] "a$named", "b$named" = Split <axis = -1> ("x$named", "l$named")
    ["u$named"] "t$named" = Identity ("v$named")
}
END
clean('assemble', [], 'assemble', 'plain.txt', '-o', $plain);
ok(-s $plain, 'and one that converts') or diag(read_file('.err'));
my $report = "report$hostile";

clean('show', [], 'show', $model);
clean('show -f json', [], 'show', $model, '-f', 'json');
clean('show --text', [], 'show', $model, '--text');
for my $format (qw(text json ndjson sarif github junit)) {
    clean("lint -f $format", [], 'lint', $model, $plain, 'places/gone' . $hostile, '-f', $format);
    clean("lint --to -f $format", [], 'lint', $model, '--to', 11, '-f', $format);
    clean("lint -f $format=FILE", ["$report.$format"], 'lint', $model, '-f', "$format=$report.$format");
}
clean('lint -r', [], 'lint', '-r', 'places');
clean('lint --diff', [], 'lint', '--diff', $model, $plain);
clean('lint --fix', [], 'lint', '--fix', $plain, '-o', "fixed$hostile.onnx");
clean('lint --update-baseline', ["base$hostile"], 'lint', $model, '--baseline', "base$hostile", '--update-baseline');
clean('lint --baseline', [], 'lint', $model, '--baseline', "base$hostile");
clean('convert, refused', [], 'convert', $model, '--opset', 18, '-o', "out$hostile.onnx");
clean('convert --strict', [], 'convert', $model, '--opset', 18, '-o', "out$hostile.onnx", '--strict');
clean('convert', ["$report.json"], 'convert', $plain, '--opset', 18, '-o', "out$hostile.onnx", '--verify', '-v', '--report',
    "$report.json");
ok(-s "out$hostile.onnx", 'which is converted') or diag(read_file('.err'));
clean('convert -f json', ["$report.html"], 'convert', $plain, '--opset', 11, '-o', "out11$hostile.onnx", '--verify', '-v', '-f',
    'json', '--report', "$report.html");
clean('convert --dry-run', [], 'convert', $plain, '--opset', 11, '--dry-run');
clean('verify', ["v$report.json"], 'verify', $plain, "out$hostile.onnx", '--engine', 'builtin', '--report', "v$report.json");
clean('verify page', ["v$report.html"], 'verify', $plain, "out$hostile.onnx", '--report', "v$report.html");
clean('verify -f json', [], 'verify', $plain, $model, '-f', 'json');
clean('verify, other models', [], 'verify', $plain, $model);
clean('verify --replay', [], 'verify', $plain, $model, '--replay', "v$report.json");
clean('verify --replay of what is none', [], 'verify', $plain, $model, '--replay', 'net.txt');
write_file('hostile.json', read_file("v$report.json") =~ s/"verdict": "/"verdict": "::error::\xe2\x80\xae##[error]\\n/r);
clean('verify --replay of a hostile certificate', [], 'verify', $plain, "out$hostile.onnx", '--replay', 'hostile.json');
clean('diff', [], 'diff', $plain, $model);
clean('diff -f json', [], 'diff', $plain, $model, '-f', 'json');
clean('run', [], 'run', $model, '--random');
clean('run, a table', [], 'run', $plain, '--random', '--shape', "x$utf8=2x6", '--shape', "s$utf8=2");
clean('run, a wrong shape', [], 'run', $plain, '--random', '--shape', "$hostile=2y");
clean('run -o', [], 'run', $plain, '--random', '--shape', "x$utf8=2x6", '--shape', "s$utf8=2", '-o', "values$hostile");
clean('run -o x.npz', [], 'run', $plain, '--random', '--shape', "x$utf8=2x6", '--shape', "s$utf8=2", '-o', "v$hostile.npz");
clean('run --input', [], 'run', $plain, '--input', "$hostile=$hostile.npy");
clean('run --input of no value', [], 'run', $plain, '--input', "$hostile=net.txt");
mkdir "cases$hostile";
rename $plain, "cases$hostile/model.onnx";
mkdir "cases$hostile/test_data_set_$hostile";
clean('test', [], 'test', '-r', "cases$hostile");
clean('test of none', [], 'test', "gone$hostile");

write_file("broken$hostile.txt", "< ir_version: 8, opset_import: [\"\" : 13] >\n$hostile (float x) => (float y) { y = $hostile(x) }\n");
clean('assemble, broken', [], 'assemble', "broken$hostile.txt", '-o', 'broken.onnx');
write_file("rule$hostile.yaml", "op: \"$quoted\"\nwhy: \"$quoted\"\n\"$quoted\": 1\n");
clean('rules check', [], 'rules', 'check', "rule$hostile.yaml");
mkdir "rules$hostile";
mkdir "rules$hostile/opset-13";
write_file("rules$hostile/opset-13/x.yaml", "op: \"$quoted\"\nwhy: \"$quoted\"\n\"$quoted\": 1\n");
clean('rules list', [], 'rules', 'list', '--rules', "rules$hostile");
for my $config ("\"$quoted\": 1\n", "ignore: [\"$quoted\"]\n", "baseline: \"$quoted\"\n", "$hostile\n", "targets: [\"$quoted\"]\n",
    "per-file-ignores: {\"$quoted\": [\"$quoted\"]}\n", "limits: {\"$quoted\": \"$quoted\"}\n", "to: \"$quoted\"\n") {
    write_file("config$hostile", $config);
    clean('lint --config', [], 'lint', $model, '--config', "config$hostile");
}
clean('explain', [], 'explain', $hostile);
clean('help', [], 'help', $hostile);
clean('no such command', [], $hostile);
clean('no such option', [], 'lint', "--$hostile");
clean('no such value', [], 'lint', 'x', '--fail-level', $hostile);
clean('no such limit', [], 'lint', 'x', '--limit', "$hostile=1");
clean('no such format', [], 'lint', $model, '-f', $hostile);
clean('no such target', [], 'lint', $model, '--target', $hostile);
done_testing();
