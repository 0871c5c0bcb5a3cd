# csel.pl TREE "RANKS BYTES [inplace]"...: what MPICH's alltoall takes by a tuning tree, as MPIR_Csel_search() of its
# src/mpi/coll/src/csel.c goes through it: the first branch whose test holds, and never back.
use strict;
use warnings;
use JSON::PP;

my ($tree, @questions) = @ARGV;
open my $file, '<', $tree or die "$tree: $!\n";
my $text = do { local $/; <$file> };
decode_json($text);     # it is JSON
$text =~ s/"([^"]*)"/(my $key = $1) =~ tr{ }{}d; "\"$key\""/ge;

# Hashes of Perl have no order, which counts here: an object becomes a list of keys and values.
$text =~ s/\{/[/g;
$text =~ s/\}/]/g;
$text =~ s/"\s*:/",/g;
my $root = decode_json($text);

sub holds {
    my ($test, $ranks, $bytes, $inplace) = @_;
    return 1 if $test =~ /^(collective=alltoall|comm_type=intra|.*=any)$/;
    return ($ranks & ($ranks - 1)) == 0 if $test eq 'comm_size=pow2';
    return $ranks <= $2 if $test =~ /^comm_size(<=|<)(\d+)$/;    # "<" is "<=" here, as in MPICH
    return $bytes <= $1 if $test =~ /^avg_msg_size<=(\d+)$/;
    return ($1 eq 'yes') == $inplace if $test =~ /^is_sendbuf_inplace=(yes|no)$/;
    return 0;
}

sub choose {
    my ($node, @question) = @_;
    for (my $i = 0; $i < @$node; $i += 2) {
        my ($key, $value) = @$node[$i, $i + 1];
        return join ' ', $1, @$value ? $value->[0] : () if $key =~ /^algorithm=MPIR_Alltoall_intra_(.*)/;
        return choose($value, @question) if holds($key, @question);
    }
    die "no branch for @question\n";
}

for (@questions) {
    my ($ranks, $bytes, $inplace) = split;
    print "$_: ", choose($root, $ranks, $bytes, defined $inplace ? 1 : 0), "\n";
}
