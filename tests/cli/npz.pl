# Usage: npz.pl ENTRY... >FILE: writes an .npz archive. ENTRY is NAME:COUNT: COUNT zeros of float, deflated; NAME:COUNT=OTHER shares
# the bytes of the member of number OTHER (from 0).
use strict;
use warnings;
use Compress::Raw::Zlib;

my ($out, $directory, @members) = ('', '');
for my $entry (@ARGV) {
    my ($name, $count, $other) = $entry =~ /^(.*?):(\d+)(?:=(\d+))?$/ or die "npz.pl: '$entry' is no entry\n";
    if (!defined $other) {
        my $head = sprintf '%-117s', "{'descr': '<f4', 'fortran_order': False, 'shape': ($count,), }";
        my $data = "\x93NUMPY\x01\x00" . pack('v', 118) . "$head\n" . "\0" x (4 * $count);
        my $deflate = Compress::Raw::Zlib::Deflate->new(-WindowBits => -MAX_WBITS, -AppendOutput => 1);
        my $packed = '';
        $deflate->deflate($data, $packed);
        $deflate->flush($packed);
        push @members, [length $out, crc32($data), length $packed, length $data];
        $out .= pack('VvvvVVVVvv', 0x04034b50, 20, 0, 8, 0x00210000, @{ $members[-1] }[1 .. 3], 4 + length $name, 0) . "$name.npy$packed";
        $other = $#members;
    }
    my ($local, $crc, $packed, $size) = @{ $members[$other] };
    $directory .= pack('VvvvvVVVVvvvvvVV', 0x02014b50, 20, 20, 0, 8, 0x00210000, $crc, $packed, $size, 4 + length $name, 0, 0, 0, 0, 0, $local)
        . "$name.npy";
}
binmode STDOUT;
print $out, $directory, pack('VvvvvVVv', 0x06054b50, 0, 0, scalar @ARGV, scalar @ARGV, length $directory, length $out, 0);
