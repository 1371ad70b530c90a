#!/usr/bin/perl
# How files are opened and named: no descriptor is inherited by another program, a new file is never one that was there or
# behind a link, a name that somebody else takes meanwhile is left alone, and who may read a file stays as it was.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use Test::More;

my $before = fresh();

# ---- flags of every open ----
my ($opened, %wrong) = (0);
for my $command (commands(), ['a model to a device', qw(convert net.onnx --opset 18 -o /dev/null)],
    ['findings to a device', qw(lint net.onnx -f json=/dev/null)],
    ['many models', qw(convert -r in --opset 18 -o many/ --journal journal)],
    ['isolated models', qw(convert -r in --opset 18 -o many/ --isolate)]) {
    my ($name, @arguments) = @$command;
    my $done = run('flags', @arguments);
    restore($before, snapshot());
    for my $line (split /\n/, $done->{flags}) {
        my ($flags, $mode, $path) = $line =~ /^(.*?) (\d{3}) (.*)$/ or next;
        next if $path eq '/dev/urandom';    # of the JSON library, which closes it at once
        $opened++;
        $wrong{"$name: $path: inherited by programs that are started"} = 1 if $flags !~ /CLOEXEC/;
        $wrong{"$name: $path: made where something may be"} = 1 if $flags =~ /CREAT/ && $path ne 'journal' && ($flags !~ /EXCL/ || $flags !~ /NOFOLLOW/);
    }
}
ok($opened > 50, "$opened files are opened");
is(join("\n", sort keys %wrong), '', 'each with the flags that keep it ours');

# ---- a file that tries whether names that differ in case are one ----
{
    my $done = run('flags', qw(convert net.onnx --opset 18 -o case.onnx --report Case.onnx));
    my ($mode) = $done->{flags} =~ /^CREAT .*? (\d{3}) \.(?i:case)\.onnx/m;
    is($mode, '600', 'the file that tries names of another case is for no one else');
    restore($before, snapshot());
}

# ---- a directory for temporary files in which each file has a name: that is removed ----
my ($refused, @left) = (0);
for (my $at = 1; ; $at++) {
    my $done = run("open $at " . error_of('EOPNOTSUPP'), qw(convert net.onnx --opset 18 -o -));
    push @left, map { "open $at: $_" } glob "$world/tmp/*";
    restore($before, snapshot());
    last if !defined $done->{fired};
    $refused++;
}
ok($refused > 1 && !@left, "$refused opens that fail leave no temporary file");
diag($_) for @left;

# ---- rights of what is being written: its temporary file is for no one else before it has the old file's ----
umask 022;
for my $case (['0600' => 0600], ['0640' => 0640], ['0400' => 0400]) {
    my ($text, $mode) = @$case;
    chmod $mode, "$world/old.onnx";
    my $done = run('flags', qw(convert net.onnx --opset 18 -o old.onnx));
    my ($made) = $done->{flags} =~ /^CREAT .* (\d{3}) .*\.old\.onnx\.\w/m;
    is(oct($made // 0777) & 0077 & ~$mode, 0, "over a file of mode $text: nobody else may read the temporary file");
    is(sprintf('%04o', (stat "$world/old.onnx")[2] & 07777), $text, "over a file of mode $text: the mode stays");
    restore($before, snapshot());
}
chmod 06755, "$world/old.onnx";
run(undef, qw(convert net.onnx --opset 18 -o old.onnx));
is(sprintf('%04o', (stat "$world/old.onnx")[2] & 07777), '0755', 'what replaces a file takes over no set-user-ID');
restore($before, snapshot());

# ---- a group that cannot be set: the rights of the old group are removed ----
SKIP: {
    skip 'only root can give files to other groups', 2 if $> != 0;
    chown 0, 4242, "$world/old.onnx";
    chmod 0664, "$world/old.onnx";
    my $done = run('rights 1 ' . error_of('EPERM'), qw(convert net.onnx --opset 18 -o old.onnx));
    is($done->{status}, 0, 'the group cannot be changed: the file is written');
    is(sprintf('%04o', (stat "$world/old.onnx")[2] & 07777), '0604', 'and the new group may do nothing');
    restore($before, snapshot());
}

# ---- external data: a file of the same name is created just before ----
my ($moments, @taken) = (0);
for (my $at = 1; ; $at++) {
    write_file("$world/theirs", 'theirs');
    my $done = run("any $at swap=$world/to/w.bin:$world/theirs", qw(convert in/net.onnx --opset 14 -o to/net.onnx));
    my $theirs = -e "$world/to/w.bin" ? read_file("$world/to/w.bin") : '';
    my $model = -e "$world/to/net.onnx";
    restore($before, snapshot());
    last if !defined $done->{fired};
    $moments++;
    # Where they come after us, theirs replaces ours: that is their doing.
    push @taken, "before call $at, $done->{fired}: status $done->{status}, '$theirs'" if $theirs ne 'theirs';
}
ok(!@taken && $moments > 5, "what takes the name of external data meanwhile is not replaced: $moments moments");
diag($_) for @taken;

# ---- a kernel without openat2: a link on the way is not followed either ----
my $none = 'openat2 1+ ' . error_of('ENOSYS');
is(run($none, qw(convert in/net.onnx --opset 11 -o new.onnx --external-data keep))->{status}, 0, 'without openat2: files are read');
restore($before, snapshot());
rename "$world/in/data", "$world/in/real";
symlink 'real', "$world/in/data";
for my $wish (undef, $none) {
    my $done = run($wish, qw(run in/net.onnx --random -o made));
    isnt($done->{status}, 0, 'a link to a directory is not followed');
    like($done->{err}, qr/the path contains a link, which is not followed/, 'and named');
}
unlink "$world/in/data";
rename "$world/in/real", "$world/in/data";
rename "$world/in/data/l.bin", "$world/in/data/m.bin";
symlink 'm.bin', "$world/in/data/l.bin";
for my $wish (undef, $none) {
    my $done = run($wish, qw(run in/net.onnx --random -o made));
    like($done->{err}, qr/the path contains a link, which is not followed/, 'nor is a link to a file');
}
# ---- what may pass is exit status 4, whoever opens external data: nothing is wrong with the model ----
for my $name (qw(EIO ETIMEDOUT ESTALE ENOTCONN EHOSTDOWN EDQUOT ENOSPC EMFILE ENFILE EINTR EACCES ENOMEM)) {
    for my $command ([qw(lint in/net.onnx)], [qw(run in/net.onnx --random)],
        [qw(convert in/net.onnx --opset 14 -o to/net.onnx)], [qw(verify in/net.onnx in/net.onnx --engine builtin)]) {
        my $done = run('openat2 1+ ' . error_of($name), @$command);
        is($done->{status}, 4, "$name: $command->[0]: exit status 4");
        unlike($done->{err}, qr/put the file beside the model/, "$name: $command->[0]: the file is not said to be missing");
    }
}
my $old = read_file("$world/old.onnx");
my $kept = run('openat2 1+ ' . error_of('EIO'), qw(lint in/net.onnx --fix -o old.onnx));
is($kept->{status}, 4, 'lint --fix -o OUT: what cannot be read now is exit status 4');
ok(read_file("$world/old.onnx") eq $old, 'and OUT is no copy that looks mended');
done_testing();
