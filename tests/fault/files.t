#!/usr/bin/perl
# Each call to the file system fails once: the command reports it, and leaves the old file or the new one.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use Test::More;

my %faults = (
    open     => [qw(EIO EMFILE)],
    read     => [qw(EIO short)],
    write    => [qw(ENOSPC EIO short)],
    flush    => [qw(EIO)],
    stat     => [qw(EIO)],
    seek     => [qw(EIO)],
    sync     => [qw(EIO)],
    rename   => [qw(EACCES)],
    link     => [qw(EPERM)],
    unlink   => [qw(EACCES)],
    mkdir    => [qw(ENOSPC)],
    truncate => [qw(EIO)],
    reserve  => [qw(ENOSPC EOPNOTSUPP)],
    rights   => [qw(EPERM)],
    close    => [qw(EIO)],
    dup      => [qw(EMFILE)],
    random   => [qw(ENOSYS)],
    pipe     => [qw(EMFILE)],
    spawn    => [qw(EAGAIN)],
    resolve  => [qw(EACCES)],
    access   => [qw(EACCES)],
    clone    => [qw(EOPNOTSUPP)],
    splice   => [qw(EINVAL ENOSPC short)],
    thread   => [qw(EAGAIN)],
);

# The functions of the C library that the command uses and that call the system.
my $asking = qr/^(?:__)?(?:f?open|open64|openat|opendir|scandir|mk\w*temp\w*|p?(?:read|write)v?|fread|fgets|getline|fflush|fclose
    |f?stat\w*|lstat|statx|lseek|fsync|fdatasync|renameat2?|rename|link|linkat|symlink|unlink|unlinkat|mkdir|mkdirat|f?truncate
    |fallocate|posix_fallocate|fchmod|fchown|close|fcntl|ioctl|getentropy|pipe2?|socketpair|send|recv|v?fork|posix_spawnp?|realpath|access|faccessat
    |mmap|sendfile|splice|copy_file_range|pthread_create|p?poll|wait|waitpid|malloc|calloc|realloc|aligned_alloc|posix_memalign)(?:64|_2|_chk)?$/x;
my %given = map { (split)[-1] => 1 } `nm -D --defined-only "$shim"`;
my @missed = grep { $_ =~ $asking && !$given{$_} } map { (split)[-1] =~ s/\@.*//r } `nm -D --undefined-only "$opshift" 2>/dev/null`;
is("@missed", '', 'the fault library stands in for all that the command asks of the system');

my $before = fresh();
for my $command (commands(
    ['convert what is large',         qw(convert large.onnx --opset 18 -o old.onnx)],
)) {
    my ($name, @arguments) = @$command;
    my ($total, @wrong) = (0);
    for my $kind (sort keys %faults) {
        for my $deed (@{ $faults{$kind} }) {
            my $number = $deed eq 'short' ? $deed : error_of($deed);
            my ($runs, @found) = sweep($name, \@arguments, $kind, $number, { before => $before,
                # What an export replaced is kept under another name until both of its files are in place.
                may_stay => $kind eq 'unlink' ? qr/^\.ir\.bin\.\S+\.opshift$/ : undef });
            $total += $runs;
            push @wrong, map { "$kind, $deed: $_" } @found;
        }
    }
    ok(!@wrong && $total > 0, "$name: $total faults");
    diag($_) for @wrong;
}

# ---- an export of two files: the old ones stay when the second cannot be put in its place, with and without hard links ----
my @export = qw(export net18.onnx --to openvino -o ir.xml);
for my $linked (1, 0) {
    my $where = $linked ? 'links' : 'no links';
    local $ENV{OPSHIFT_FAULT_NO_LINKS} = 1 if !$linked;
    write_file("$world/ir.bin", 'the old weights');
    my $old = snapshot();
    my ($runs, @found) = sweep("export, $where", \@export, 'rename', error_of('EACCES'), { before => $old });
    is($runs, $linked ? 2 : 3, "$where: each rename fails once");
    is("@found", '', "$where: the old files stay");
    ($runs, @found) = sweep("export, $where", \@export, 'unlink', error_of('EACCES'),
        { before => $old, may_stay => qr/^\.ir\.bin\.\S+\.opshift$/ });
    is("@found", '', "$where: what was kept and cannot be removed stays beside the new files");

    # The second file cannot be put in its place, and then the first one cannot be put back.
    my $done = run('rename ' . ($linked ? 2 : 3) . '+ ' . error_of('EACCES'), @export);
    my $seen = snapshot();
    my ($kept) = grep { $seen->{$_} eq 'file the old weights' } sort keys %$seen;
    is($done->{status}, 4, "$where: nothing can be renamed any more: exit status 4");
    like($kept // '', qr/^\.ir\.bin\.[\w-]{6}\.opshift$/, "$where: the old file has another name");
    is($done->{err}, "opshift: the old file cannot be put back and is now '$world/$kept': ir.xml: cannot be put in its place: "
        . "Permission denied; check the directory and its permissions, or write elsewhere\n", "$where: which the message gives");
    restore($before, $seen);
}
{
    my ($resolved) = grep { !defined run("resolve $_ " . error_of('EACCES'), @export)->{fired} } 1 .. 9;
    restore($before, snapshot());
    my $done = run('resolve ' . ($resolved - 1) . ' ' . error_of('EACCES'), @export);
    is($done->{err}, 'opshift: ir.bin: cannot be followed to its file: Permission denied; '
        . "check the directory and its permissions, or write elsewhere\n", 'the old file cannot be found');
    local $ENV{OPSHIFT_FAULT_NO_LINKS} = 1;
    $done = run('rename 1 ' . error_of('EACCES'), @export);
    is($done->{err}, "opshift: $world/ir.bin: cannot be kept while it is replaced: Permission denied; "
        . "check the directory and its permissions, or write elsewhere\n", 'no links: the old file cannot be renamed');
    restore($before, snapshot());
}

# ---- an export of two files: the directory cannot be flushed after the second is in its place: both are new ----
run(undef, @export);
my $both = snapshot();
restore($before, $both);
my ($flushed) = grep { !defined run("sync $_ " . error_of('EIO'), @export, '--sync')->{fired} } 1 .. 9;
restore($before, snapshot());
my $late = run('sync ' . ($flushed - 1) . ' ' . error_of('EIO'), @export, '--sync');
is($late->{err}, 'opshift: ir.xml: is written, but its directory cannot be flushed to the disk: Input/output error; '
    . "check the directory and its permissions, or write elsewhere\n", 'the last flush of an export fails');
is_deeply(snapshot(), $both, 'and both files are new');
restore($before, snapshot());

# ---- --sync: the message if one flush fails: of a new directory, each file, its directory, the model ----
my $way    = 'write elsewhere, or keep the external data';
my @unsaid = (
    "to/net.onnx: to/data/l.bin: its directory cannot be made: Input/output error; $way",
    ("to/net.onnx: to/data/l.bin: cannot be flushed to the disk: Input/output error; $way") x 2,
    ("to/net.onnx: to/w.bin: cannot be flushed to the disk: Input/output error; $way") x 2,
    'to/net.onnx: cannot be flushed to the disk: Input/output error; check the directory and its permissions, or write elsewhere',
    'to/net.onnx: is written, but its directory cannot be flushed to the disk: Input/output error; '
        . 'check the directory and its permissions, or write elsewhere',
);
for my $at (1 .. @unsaid) {
    my $done = run("sync $at " . error_of('EIO'), qw(convert in/net.onnx --opset 14 -o to/net.onnx --sync));
    is("$done->{status} $done->{err}", "4 opshift: $unsaid[$at - 1]\n", "--sync: flush $at fails");
    restore($before, snapshot());
}
run(undef, qw(convert in/net.onnx --opset 14 -o to/net.onnx));
my $again = run('sync 1 ' . error_of('EIO'), qw(convert in/net.onnx --opset 14 -o to/net.onnx --sync));
is("$again->{status} $again->{err}", "4 opshift: $unsaid[1]\n", '--sync: what is there already is flushed, too');
restore($before, snapshot());
done_testing();
