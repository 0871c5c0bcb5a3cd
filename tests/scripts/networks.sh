#!/bin/sh
# networks.sh KEY=VALUE...: every command that has to do with a network, on a machine with these keys, in the program that
# knows the networks of tests/programs/networks.c. Writes files into build/networks.
set -u
export ECUBE_DATA="$PWD"
n() { build/tests/programs/networks "$@" 2>&1; }
out=build/networks
mkdir -p $out
rm -f $out/sweep.csv
{
    printf '[machine]\nlambda = 95\ntau = 0.394\ndelta_hop = 10.3\n'
    for pair; do echo "$pair"; done
} >$out/m.ini
set -- -m $out/m.ini

n run "$@" -d 3 -a standard,naive,direct,multiphase,linear,rotated -p 1,2 -b 32,400
n run "$@" -n 8 -a naive,direct,linear,rotated -b 32,400
n run "$@" -d 3 --pattern broadcast -a sbt,nesbt -b 100
n run "$@" -d 3 -a naive -b 100 --explain
for format in csv json paje; do
    n run "$@" -d 3 -a naive -b 100 --trace $out/trace.$format
    cat $out/trace.$format
done
for key in node=2 switching=fluid switching=store-and-forward ports=all ports=2 reconfigure=10; do
    n run "$@" -d 3 -a direct,naive -b 40 -s $key
done
n sweep "$@" -d 3 -a naive,linear -b 8:32:x2 --output $out/sweep.csv
n columns algorithm,bytes,contention_free_us,simulated_us,blocked_us <$out/sweep.csv
n fit $out/sweep.csv
n verify "$@" -n 8 -a direct --contention
for model in '' '--model published' '--model contention-free' '--family offsets' '-f csv'; do
    # shellcheck disable=SC2086 # words on purpose
    { n hull "$@" -d 3 $model; n hull "$@" -n 8 $model; }
done
n hull "$@" -n 8 --radix one
n best "$@" -d 3 -b 40
n best "$@" -n 8 -b 40
for pattern in broadcast scatter; do n best "$@" -d 3 -b 40 --pattern $pattern; done
n compare "$@" -d 3 -b 40 -a multiphase,naive,offsets
n compare "$@" -n 8 -b 40 -a multiphase,naive
for format in text goal ti; do n export "$@" -f $format -d 3 -a naive -b 800; done
n platform $out/m.ini -d 3
n tables "$@" -d 3 -b 100
n regions "$@" -d 3
n report "$@" -d 3 -a naive -b 100 -o $out/page.html
