#!/bin/sh
# Makes the figures: CSV by ecube, SVG and PNG from it by gnuplot. $1: the folder they go to, replaced as a whole at the end.
set -eu
export LC_ALL=C.UTF-8
to=${1:-build/figures}
new=$to.new
rm -rf "$new"
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$new"

# draw SCRIPT [ARGUMENT ...]: scripts/figures/SCRIPT.gp, both ways.
draw() {
    script=$1
    shift
    for format in svg png; do
        gnuplot -d -c "scripts/figures/$script.gp" "$new" $format "$@"
    done
}

# run NAME OPTION...: NAME.csv from ecube run.
run() {
    name=$1
    shift
    ./ecube run "$@" --format csv --output "$new/$name.csv"
}

hull() {
    name=$1
    shift
    ./ecube hull "$@" --format csv >"$new/$name.csv"
}

# sizes FIRST STEP LAST: "0,10,20".
sizes() {
    seq -s, "$1" "$2" "$3"
}

# --- Bokhari 1993, figure 1 ---

all4="1,1,1,1 1,1,2 2,2 1,3 4"
all6="1,1,1,1,1,1 1,1,1,1,2 1,1,2,2 2,2,2 1,1,1,3 1,2,3 3,3 1,1,4 2,4 1,5 6"

# figure1 LETTER DIMENSION PARTITIONS
figure1() {
    run "bokhari1993-figure1$1-partitions" -m bokhari1993 -d "$2" -a multiphase -p "$(echo "$3" | tr ' ' ';')" \
        -b "$(sizes 0 10 80)"
    hull "bokhari1993-figure1$1-hull" -m bokhari1993 -d "$2" --model published
    draw bokhari1993-figure1 "$@"
}
figure1 a 4 "$all4"
figure1 b 6 "$all6"

# --- Bokhari 1993, figure 2 ---

# A hull for every d, under one header, with d before it.
{
    ./ecube hull -m bokhari1993 -d 1 --model published --format csv | sed -n '1s/^/dimension,/p'
    d=1
    while [ $d -le 64 ]; do
        ./ecube hull -m bokhari1993 -d $d --model published --format csv | sed "1d;s/^/$d,/"
        d=$((d + 1))
    done
} >"$new/bokhari1993-figure2-faces.csv"
draw bokhari1993-figure2

# --- Nicol & Bokhari 1994, figures 2 and 3 ---

# figure_nicol NUMBER DIMENSION PARTITIONS: all that have a face on the hull, in its order, between Standard and Direct.
figure_nicol() {
    figure=nicol1994-figure$1
    run "$figure-runs" -m ipsc860 -d "$2" -a standard,multiphase,direct -p "$(echo "$3" | tr ' ' ';')" \
        -b "1,$(sizes 20 20 400)"   # at 0 bytes start-ups are cheaper, off the line
    hull "$figure-published" -m ipsc860 -d "$2" --model published --direct-shuffle no
    { sed 1q "$measured"; grep "^$2," "$measured"; } >"$new/$figure-measured.csv"
    draw nicol1994 "$@"
}
measured=scripts/figures/nicol1994-measured.csv
figure_nicol 2 5 "2,3"
figure_nicol 3 6 "2,2,2 3,3"

# --- hull and simulation, with contention ---

alone="-m ipsc860 -d 5 -s pairwise_sync=false -s phase_barrier=false"
# shellcheck disable=SC2086 # words on purpose
{
    run contention-runs $alone -a naive,reversed,standard,multiphase,direct -p "1,2,2;2,3" -b "1,$(sizes 10 10 400)"
    hull contention-hull $alone
}
draw contention 5 4

# --- what one radix is worth ---

# radix CHOICE RHO OPTION...: the hull of a choice where hops cost nothing and rho/tau is RHO.
radix() {
    choice=$1 rho=$2
    shift 2
    ./ecube hull -m bokhari1993 -s tau=1 -s delta=0 -s "rho=$rho" --radix "$choice" --format csv "$@"
}

# The largest regret for every choice, rho/tau and d.
for choice in extremes one; do
    for rho in 0 0.25 0.5 0.75 1 1.25 1.5; do
        radix $choice $rho -d 3:12:1 | awk -F, -v OFS=, -v choice=$choice -v rho=$rho '
            { gsub(/"[^"]*"/, "") }
            NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { d = $column["dimension"]; if ($column["regret"] > most[d]) most[d] = $column["regret"] }
            END { for (d = 3; d <= 12; d++) print choice, rho, d, most[d] + 0 }'
    done
done | sed '1ichoice,rho_over_tau,dimension,regret' >"$new/one-radix.csv"
for choice in mixed one; do
    radix $choice 1 -d 10 >"$new/one-radix-$choice.csv"
done
draw one-radix "2 4 8 16 32 Direct"

# --- from traces: a heat map and a space-time diagram ---

# trace NAME OPTION...: NAME.csv, the trace of one run without handshakes and barriers.
trace() {
    name=$1
    shift
    ./ecube run -m ipsc860 -s pairwise_sync=false -s phase_barrier=false "$@" --trace "$new/$name.csv" >/dev/null
}

for algorithm in naive reversed; do
    trace heat-map-$algorithm -d 5 -a $algorithm -b 400
done
draw heat-map 5 400 "naive reversed"

trace space-time-naive -d 3 -a naive -b 200
trace space-time-direct -d 3 -a direct -b 200
trace space-time-multiphase -d 3 -a multiphase -p 1,2 -b 200
draw space-time 3 200 "naive direct multiphase" \
    "Naive, all send to 0, 1, 2, ... in that order;Direct;Multiphase (1,2)"

# --- a page ---

./ecube report scenarios/naive-against-direct.ini --output "$new/naive-against-direct.html"

# --- spanning graphs ---

# sweep NAME SCENARIO: NAME.csv from ecube sweep of a scenario.
sweep() {
    ./ecube sweep "scenarios/$2.ini" --output "$new/$1.csv"
}

sweep johnsson1987-figure3 johnsson1987-figure3
draw johnsson1987-figure3

sweep broadcast-packets broadcast-packets
run broadcast-packets-optimal scenarios/broadcast-packets.ini --packet optimal
draw broadcast-packets

sweep broadcast-ports broadcast-ports
sweep exchange-ports exchange-ports
draw ports

sweep hybrid all-broadcast-hybrid
draw hybrid

for graph in sbt sbnt nesbt; do
    ./ecube tree $graph -d "$([ $graph = nesbt ] && echo 3 || echo 5)" --format svg --output "$new/tree-$graph.svg"
done

# --- permutations ---

sweep ho1988-figure5 ho1988-figure5
draw ho1988 ho1988-figure5 bytes 0 "The one-bit shuffle on a 5-cube"
sweep ho1988-figures6-7 ho1988-figures6-7
draw ho1988 ho1988-figure6 dimension 8 "The one-bit shuffle, 8 bytes per processor"
draw ho1988 ho1988-figure7 dimension 1024 "The one-bit shuffle, 1 kB per processor"
sweep ho1988-figure8 ho1988-figure8
draw ho1988 ho1988-figure8 bytes 0 "A two-dimensionally partitioned matrix transposed on a 6-cube"
sweep router-contention router-contention
draw router-contention

# --- matrix multiplication ---

# matmul NAME OPTION...: NAME.csv from ecube sweep.
matmul() {
    csv=$1
    shift
    ./ecube sweep --pattern matmul "$@" --output "$new/$csv.csv"
}

iter="-s duplex=full,half --grid column -a a1"
# shellcheck disable=SC2086 # words on purpose
{
    matmul johnsson1987-figure9 -m "ipsc1;ipsc1:first" -d 0:6:1 --shape 32x32x32 --routing sbt,gcea $iter
    matmul johnsson1987-figure10 -m ipsc1 -d 5 --shape 32x32x32 --routing hybrid --accumulate 0:5:1 $iter
}
matmul johnsson1987-figure19 -m ipsc1 -s duplex=full,half -d 5 --shape "256x32x128;512x32x64;1024x32x32" \
    --grid "32x1;16x2;8x4;4x8;2x16;1x32" -a a1
draw linear-arrays
draw limited-buffers
draw aspect-ratios

# shapes UNIT: those on the maps that are simulated, in elements: "32x32x32;32x32x128;..." where a unit has 16.
shapes() {
    for p in 2 8 14; do for q in 2 8 14; do for r in 2 8 14; do
        printf '%dx%dx%d;' $(($1 * p)) $(($1 * q)) $(($1 * r))
    done; done; done | sed 's/;$//'
}

# simulate NAME UNIT OPTION...: NAME-simulated.csv, the fastest algorithm of each of the shapes beside that of the map
# NAME.csv.
simulate() {
    name=$1 unit=$2
    shift 2
    matmul "$name-runs" -d 4 --shape "$(shapes "$unit")" "$@"
    awk -F, -v OFS=, -v unit="$unit" '
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        FILENAME ~ /-runs/ {
            shape = $column["shape"]
            if (!(shape in least) || $column["simulated_us"] < least[shape]) {
                least[shape] = $column["simulated_us"]
                best[shape] = $column["algorithm"]
            }
            next
        }
        { on_map[unit * $1 "x" unit * $2 "x" unit * $3] = $4 }
        END {
            print "p", "q", "r", "best", "on_map"
            sorted = "sort -t , -k 1n -k 2n -k 3n"
            fflush()
            for (shape in best) {
                split(shape, side, "x")
                print side[1] / unit, side[2] / unit, side[3] / unit, best[shape], on_map[shape] | sorted
            }
        }' "$new/$name-runs.csv" "$new/$name.csv" >"$new/$name-simulated.csv"
}

# map NUMBER TITLE SLICES UNIT_NAME OPTION...: a map by ecube regions, for paint, which draws it with points or without.
map() {
    name=johnsson1987-figure$1 title="Figure ${1%%-*}: $2" slices=$3 unit_name=$4
    shift 4
    ./ecube regions "$@" >"$new/$name.csv"
}
paint() {
    draw regions "$name" "$title" "$slices" "$unit_name" "$1"
}

columns="one port, partitioned by columns"
grids="one port, the best grid of each"
map 11 "N = 16, lambda = t_c, $columns" "2 4 6 8 14 16" N -m johnsson1987:equal -d 4 --grid column
simulate "$name" 16 -m johnsson1987:equal --grid column -a a1,a3,a4
paint 1
map 12 "N = 16, lambda = 1000 t_c, $columns" "2 4 6 8 14 16" N -m johnsson1987 -d 4 --grid column
simulate "$name" 16 -m johnsson1987 --grid column -a a1,a3,a4
paint 1
map 13 "N = 1024, lambda = t_c, $columns" "1 2 4 8 12 16" N -m johnsson1987:equal -d 10 --grid column
paint 0
small="N = 16, P, Q, R up to N, lambda = t_c"
map 14 "$small, without arithmetic, $columns" "2 4 6 8 14 16" "" -m johnsson1987:equal -d 4 --grid column --unit 1
simulate "$name" 1 -m johnsson1987:equal --grid column -a a1,a3,a4
paint 1
map 14-arithmetic "$small = t_a, $columns" "2 4 6 8 14 16" "" -m johnsson1987:equal -s flop=1 -d 4 --grid column \
    --unit 1
simulate "$name" 1 -m johnsson1987:equal -s flop=1 --grid column -a a1,a3,a4
paint 1
map 20 "N = 16, lambda = t_c, $grids" "2 4 6 8 14 16" N -m johnsson1987:equal -d 4
simulate "$name" 16 -m johnsson1987:equal -a a1,a2,a3,a4,a5
paint 1
map 20-half "N = 16, lambda = t_c, $grids; simulated with half duplex" "2 4 6 8 14 16" N -m johnsson1987:equal -d 4
simulate "$name" 16 -m johnsson1987:equal -s duplex=half -a a1,a2,a3,a4,a5
paint 1
map 21 "N = 128, lambda = t_c, $grids" "1 2 4 8 12 16" N -m johnsson1987:equal -d 7
paint 0
map 22 "N = 128, lambda = 1000 t_c, $grids" "1 2 4 8 12 16" N -m johnsson1987 -d 7
paint 0
map 23 "N = 1024, lambda = t_c, $grids" "1 2 4 8 12 16" N -m johnsson1987:equal -d 10
paint 0
map 25 "N = 16, lambda = t_c, n ports, the best grid of each" "2 4 6 8 14 16" N -m johnsson1987:equal -d 4 --ports all
simulate "$name" 16 -m johnsson1987:equal --ports all --packet optimal -a a1,a2,a3,a4,a5
paint 1
map 26 "N = 1024, lambda = t_c, n ports, the best grid of each" "1 2 4 8 12 16" N -m johnsson1987:equal -d 10 --ports all
paint 0

# grids NUMBER ALGORITHM SHAPE OPTION...: the best grid of 16 processors at 1 ... 16 N of two sides, x and y in SHAPE.
grids() {
    name=johnsson1987-figure$1 algorithm=$2 shape=$3
    shift 3
    for y in $(seq 16); do
        for x in $(seq 16); do
            sides=$(echo "$shape" | sed "s/X/$((16 * x))/;s/Y/$((16 * y))/")
            ./ecube best -d 4 --pattern matmul --shape "$sides" --format csv "$@" |
                sed -n "s/^$algorithm,\([^,]*\),.*/$x,$y,\1/p"
        done
    done | sed '1ix,y,grid' >"$new/$name.csv"
}
grids 18 a1 Yx256xX -m johnsson1987
draw best-grids "$name" "A1, one port: N1 of the best grid of N = 16 processors" R P "0.125 0.5 2 8"
grids 24 a2 256xYxX -m johnsson1987:nport
draw best-grids "$name" "A2, n ports: N1 of the best grid of N = 16 processors" R Q "0.6666667 1.5"

rm -rf "$to"
mv "$new" "$to"
