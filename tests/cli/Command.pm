# What the Perl tests of the command share: files, and runs of opshift in a directory of their own.
package Command;
use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

our @EXPORT = qw($builddir $opshift $srcdir $work assemble field read_file run split_rows varint write_file);

our $srcdir   = abs_path($ENV{srcdir}   // '.');
our $builddir = abs_path($ENV{builddir} // '.');
our $opshift  = $ENV{OPSHIFT} // "$builddir/opshift";
our $work     = tempdir('opshift-test.XXXXXX', TMPDIR => 1, CLEANUP => 1);
chdir $work or die "$work: $!";

sub write_file {
    my ($path, $bytes) = @_;
    make_path(dirname($path));
    open my $file, '>:raw', $path or die "$path: $!";
    print $file $bytes;
    close $file or die "$path: $!";
}

sub read_file {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!";
    local $/;
    return scalar <$file> // '';
}

# run(ARGUMENT...): opshift's exit status (128 and its number for a signal), standard output and standard error.
sub run {
    my (@arguments) = @_;
    my $pid = fork // die "fork: $!";
    if ($pid == 0) {
        open STDIN,  '<', '/dev/null'  or die;
        open STDOUT, '>', "$work/.out" or die;
        open STDERR, '>', "$work/.err" or die;
        exec $opshift, @arguments or exit 127;
    }
    waitpid $pid, 0;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, read_file("$work/.out"), read_file("$work/.err"));
}

# The model of a text: NAME.txt, and NAME.onnx, which is returned.
sub assemble {
    my ($name, $text) = @_;
    write_file("$name.txt", $text);
    my ($status, undef, $err) = run('assemble', "$name.txt", '-o', "$name.onnx");
    die "$name.txt: $err$text" if $status;
    return "$name.onnx";
}

# The rows of tests/split-matrix.tsv, by the names of its columns.
sub split_rows {
    my ($head, @rows) = split /\n/, read_file("$srcdir/tests/split-matrix.tsv");
    my @columns = split /\t/, $head;
    return map { my %row; @row{@columns} = split /\t/; \%row } @rows;
}

# Of the protobuf wire format: a number, and a field of bytes.
sub varint { my ($n) = @_; my $s = ''; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } return $s . chr $n }
sub field { return varint($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }

1;
