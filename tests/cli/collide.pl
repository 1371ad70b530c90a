# Prints a model whose keys meet in one place of a hash table without a secret: KIND COUNT [spread]. With "spread" the model
# has the same form, and keys that do not meet.
#
#   constants   tensors that a plan adds: FNV-1a of 32 bits
#   names       names of eight bytes, of values and of functions: the upper bits of a product
#   scopes      numbers of names in a function: the lower bits of a product
#   entries     the same: the upper half of a product
#   operators   numbers of operators' names: the middle bits of a product
use strict;
use warnings;

sub varint { my ($n) = @_; my $s = ''; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } return $s . chr $n }
sub field { my ($number, $bytes) = @_; return varint($number << 3 | 2) . varint(length $bytes) . $bytes }
sub number { my ($number, $value) = @_; return varint($number << 3) . varint($value) }
sub value { my ($name) = @_; return field(1, $name) . field(2, field(1, number(1, 1) . field(2, field(1, field(2, 'N'))))) }
# The operator first: its name is met before those of values.
sub node { my ($type, $input, $output, $more) = @_; return field(1, field(4, $type) . field(1, $input) . field(2, $output) . ($more // '')) }
sub call { my ($type, $output) = @_; return node($type, 'x', $output, field(7, 'f')) }
sub function {
    my ($name, $nodes) = @_;
    return field(25, field(1, $name) . field(4, 'a') . field(5, 'b') . $nodes . field(9, number(2, 11)) . field(10, 'f'));
}
sub inner { my ($type, $input, $output) = @_; return field(7, field(4, $type) . field(1, $input) . field(2, $output)) }

my ($kind, $count, $spread) = @ARGV;
my $bits = 0;
$bits++ while 1 << $bits < 2 * $count;
my $mask = (1 << $bits) - 1;

# Floats from 1 on whose tensors have the same lower bits.
sub constants {
    my ($nodes, $bytes, $found) = ('', 0x3f800000, 0);
    while ($found < $count) {
        my $hash = 2166136261 ^ 1 << 16;
        $hash = (($hash ^ $bytes >> $_ & 255) * 16777619) & 0xffffffff for 0, 8, 16, 24;
        $hash ^= $hash >> 15;
        $nodes .= node('Clip', 'x', 'c' . $found++, field(5, field(1, 'min') . pack('CV', 0x15, $bytes) . number(20, 1)))
            if $spread || !($hash & $mask);
        $bytes++;
    }
    return ($nodes, '');
}

# Eight letters as a number, times a constant: the upper bits are zeros. The last letter decides on the upper eight.
sub names {
    my ($nodes, $functions, $found, $at) = ('', '', 0, 0);
    my @letters = ('a' .. 'z', 0 .. 5);
    while ($found < $count) {
        my $name = join '', map { $letters[$at >> $_ & 31] } 0, 5, 10, 15, 20, 25, 25;
        $at++;
        use integer;
        my $product = (unpack('q<', "$name\0") ^ 8) * -7046029254386353131; # 0x9e3779b97f4a7c15
        my $last = $spread ? 97 : -($product >> 56) * 61 & 255; # 61 * 0x15 is 1, in eight bits
        no integer;
        next if !$spread && (chr($last) !~ /[A-Za-z0-9]/ || ($product >> 64 - $bits) & $mask >> 8);
        $name .= chr $last;
        $nodes .= $found % 2 ? call($name, "o$found") : node('Relu', 'x', $name);
        $functions .= function($name, inner('Relu', 'a', 'b')) if $found % 2;
        $found++;
    }
    return ($nodes, $functions);
}

# One of eight of the numbers that names get: those whose slots are adjacent.
sub is_chosen {
    my ($number, $slot) = @_;
    return $spread ? $number % 8 == 0 : ($slot & $mask) < ($mask + 1) / 8;
}
sub product { my ($number) = @_; return $number * 2654435769 & 0xffffffff }

sub numbers {
    my ($slot) = @_;
    my ($nodes, $inside, $found) = ('', '', 0);
    for (my $at = 0; $found < $count; $at++) {
        $nodes .= node('Relu', 'x', "n$at");
        next if !is_chosen($at, $slot->($at));
        $inside .= inner('Relu', 'a', "n$at");
        $found++;
    }
    return ($nodes . call('F', 'of'), function('F', $inside . inner('Relu', 'a', 'b')));
}

sub operators {
    my ($nodes, $found) = ('', 0);
    for (my $at = 0; $found < $count; $at++) {
        my $chosen = is_chosen($at, product($at) >> 7);
        $nodes .= node($chosen ? "n$at" : 'Relu', 'x', $chosen ? 'n' . ++$at : "n$at");
        $found += $chosen;
    }
    return ($nodes, '');
}

my %made = (
    constants => \&constants,
    names     => \&names,
    operators => \&operators,
    scopes    => sub { numbers(\&product) },
    # The upper half of the number times 0x9e3779b97f4a7c15.
    entries   => sub { numbers(sub { my ($n) = @_; return ($n * 0x9e3779b9 + ($n * 0x7f4a7c15 >> 32)) & 0xffffffff }) },
);
my ($nodes, $functions) = $made{$kind}->();
my $graph = $nodes . node('Relu', 'x', 'y') . field(2, 'g') . field(11, value('x')) . field(12, value('y'));
my $opset = $kind eq 'constants' ? 6 : 11;
print number(1, 8) . field(7, $graph) . field(8, number(2, $opset)) . field(8, field(1, 'f') . number(2, 1)) . $functions;
