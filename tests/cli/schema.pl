# Checks a JSON document against a JSON schema: the keywords that ours use, and no others.
# Usage: perl schema.pl SCHEMA DOCUMENT [KEY]: the document, or what its KEY holds. Prints each fault; exit status 1.
use strict;
use warnings;
use JSON::PP;

sub load { my ($path) = @_; open my $file, '<', $path or die "$path: $!\n"; local $/; return JSON::PP->new->decode(<$file>) }

my ($schema_path, $path, $key) = @ARGV;
my $schema = load($schema_path);
my $document = load($path);
$document = $document->{$key} if defined $key;
my $faults = 0;
my %known = map { $_ => 1 } qw($schema $defs $ref title description type required properties additionalProperties items
    enum const pattern minimum minItems maxItems);

sub fault { my ($where, $what) = @_; print "$where: $what\n"; $faults++ }

sub type_of {
    my ($value) = @_;
    return 'null' unless defined $value;
    return 'object' if ref $value eq 'HASH';
    return 'array' if ref $value eq 'ARRAY';
    return 'boolean' if JSON::PP::is_bool($value);
    my $text = JSON::PP->new->allow_nonref->encode($value);
    return 'string' if $text =~ /^"/;
    return $text =~ /^-?[0-9]+$/ ? 'integer' : 'number';
}

sub check {
    my ($rule, $value, $where) = @_;
    fault($where, "keyword $_ is not known here") for grep { !$known{$_} } keys %$rule;
    if (my $ref = $rule->{'$ref'}) {
        $ref =~ m{^#/\$defs/(\w+)$} or die "$ref: only \$defs are looked up\n";
        check($schema->{'$defs'}{$1} || die("$ref is not there\n"), $value, $where);
    }
    my $type = type_of($value);
    if (my $wanted = $rule->{type}) {
        my @types = ref $wanted ? @$wanted : $wanted;
        return fault($where, "is $type, must be " . join ' or ', @types)
            unless grep { $type eq $_ || ($_ eq 'number' && $type eq 'integer') } @types;
    }
    return if $type eq 'null' && (!$rule->{enum} || grep { !defined } @{$rule->{enum}});
    fault($where, "must be $rule->{const}") if exists $rule->{const} && $value ne $rule->{const};
    fault($where, "is '$value', none of " . join ', ', @{$rule->{enum}}) if $rule->{enum} && !grep { defined && $_ eq $value } @{$rule->{enum}};
    fault($where, "'$value' does not match $rule->{pattern}") if $rule->{pattern} && $value !~ /$rule->{pattern}/;
    fault($where, "is $value, less than $rule->{minimum}") if exists $rule->{minimum} && $value < $rule->{minimum};
    if ($type eq 'array') {
        fault($where, 'has too few items') if exists $rule->{minItems} && @$value < $rule->{minItems};
        fault($where, 'has too many items') if exists $rule->{maxItems} && @$value > $rule->{maxItems};
        check($rule->{items}, $value->[$_], "$where\[$_]") for $rule->{items} ? 0 .. $#$value : ();
    }
    return unless $type eq 'object';
    for my $name (@{$rule->{required} || []}) { fault($where, "'$name' is missing") unless exists $value->{$name} }
    for my $name (sort keys %$value) {
        my $more = $rule->{additionalProperties};
        if ($rule->{properties} && $rule->{properties}{$name}) { check($rule->{properties}{$name}, $value->{$name}, "$where.$name") }
        elsif (ref $more eq 'HASH') { check($more, $value->{$name}, "$where.$name") }
        elsif (defined $more && !$more) { fault($where, "'$name' is not known") }
    }
}

check($schema, $document, 'certificate');
exit($faults > 0);
