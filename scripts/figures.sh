#!/bin/sh
# figures.sh [FOLDER [NAME [FORMAT]]]: makes the figures: CSV by ecube, SVG and PNG from it by gnuplot. FOLDER is replaced
# as a whole at the end. With NAME only that figure is made, and others that have its data. `figures.sh --list` prints the
# names.
set -eu
export LC_ALL=C.UTF-8 GNUTERM=unknown PATH="$PWD:$PATH"
to=${1:-build/figures} only=${2-} formats=${3:-svg png}
new=$to.new
if [ "$to" != --list ]; then
    rm -rf "$new"
    trap 'rm -rf "$new"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p "$new"
fi

# wanted NAME...: whether one of these figures is to be made
wanted() {
    if [ "$to" = --list ]; then
        printf '%s\n' "$@"
        return 1
    fi
    case " $* " in *" ${only:-$1} "*) ;; *) return 1 ;; esac
}

# draw SCRIPT [ARGUMENT ...]: scripts/figures/SCRIPT.gp, both ways.
draw() {
    script=$1
    shift
    for format in $formats; do
        gnuplot -d -c "scripts/figures/$script.gp" "$new" "$format" "$@"
    done
}

# run NAME OPTION...: NAME.csv from ecube run.
run() {
    name=$1
    shift
    ecube run "$@" --output "$new/$name.csv"
}

hull() {
    name=$1
    shift
    ecube hull "$@" --format csv >"$new/$name.csv"
}

# figure NAME COMMAND OPTION...: NAME.csv and its figure, both ways, from a command that draws.
figure() {
    name=$1
    shift
    wanted "$name" || return 0
    for format in $formats; do
        ecube "$@" --format csv --figure "$new/$name.$format" >"$new/$name.csv"
    done
}

# sweep NAME SCENARIO: NAME.csv from ecube sweep of a scenario.
sweep() {
    ecube sweep "scenarios/$2.ini" --output "$new/$1.csv"
}

# sizes FIRST STEP LAST: "0,10,20".
sizes() {
    seq -s, "$1" "$2" "$3"
}

# --- Bokhari 1993, figure 1 ---

for d in 4 6; do
    figure "bokhari1993-figure1$([ $d = 4 ] && echo a || echo b)" hull -m bokhari1993 -d $d --model published
done

# --- Bokhari 1993, figure 2 ---

if wanted bokhari1993-figure2; then
    # A hull for every d, under one header, with d before it.
    {
        ecube hull -m bokhari1993 -d 1 --model published --format csv | sed -n '1s/^/dimension,/p'
        d=1
        while [ $d -le 64 ]; do
            ecube hull -m bokhari1993 -d $d --model published --format csv | sed "1d;s/^/$d,/"
            d=$((d + 1))
        done
    } >"$new/bokhari1993-figure2-faces.csv"
    draw bokhari1993-figure2
fi

# --- Nicol & Bokhari 1994, figures 2 and 3 ---

# figure_nicol NUMBER DIMENSION PARTITIONS: all that have a face on the hull, in its order, between Standard and Direct.
figure_nicol() {
    figure=nicol1994-figure$1
    wanted "$figure" || return 0
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

if wanted contention; then
    alone="-m ipsc860 -d 5 -s pairwise_sync=false -s phase_barrier=false"
    # shellcheck disable=SC2086 # words on purpose
    {
        run contention-runs $alone -a naive,reversed,standard,multiphase,direct -p "1,2,2;2,3" -b "1,$(sizes 10 10 400)"
        hull contention-hull $alone
    }
    draw contention 5 4
fi

# --- what one radix is worth ---

# radix CHOICE RHO OPTION...: the hull of a choice where hops cost nothing and rho/tau is RHO.
radix() {
    choice=$1 rho=$2
    shift 2
    ecube hull -m bokhari1993 -s tau=1 -s delta=0 -s "rho=$rho" --radix "$choice" --format csv "$@"
}

if wanted one-radix; then
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
fi

# --- exchanges by offsets ---

if wanted offsets-traffic offsets-times offsets-worth; then
    # Traffic against messages, for every dimension. The lists themselves are left out.
    for d in $(seq 3 12); do
        ecube offsets -d "$d" --format csv | sed "1d;s/^/$d,/;s/\"[^\"]*\"//"
    done | sed '1idimension,k,traffic,bound,gap_percent,hops,partition_traffic,offsets' >"$new/offsets-traffic.csv"
    draw offsets-traffic

    # lines MACHINE LABEL OPTION...: what the best lists and the best partitions take and the bound, for 1 to 2048 bytes.
    # All are straight lines; the bound is that of `ecube best --family offsets`.
    lines() {
        machine=$1 label=$2
        shift 2
        for family in partitions offsets; do
            hull "offsets-$family" -m "$machine" -d 3:12:1 --family "$family" "$@"
        done
        awk -F, -v OFS=, -v label="$label" '
            FNR == 1 { file++ }
            file == 1 { if (split($0, pair, " = ") == 2 && !profile) of[pair[1]] = pair[2]; profile += /^\[profile/; next }
            { gsub(/"[^"]*"/, "") }
            FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { d = $column["dimension"]; to = $column["to_bytes"] }
            { for (j = 0; j <= 88; j++) {
                m = 2 ^ (j / 8)
                if (file == 2) {
                    t = $column["k"] * (of["lambda"] + of["delta"] + of["delta_hop"]) + of["tau"] * m * $column["bound"]
                    if (!((file, d, j) in time) || t < time[file, d, j]) time[file, d, j] = t
                } else if (m >= $column["from_bytes"] && (to == "" || m < to))
                    time[file, d, j] = $column["intercept_us"] + $column["slope_us_per_byte"] * m
            } }
            END { for (d = 3; d <= 12; d++) for (j = 0; j <= 88; j++)
                print label, d, 2 ^ (j / 8), time[4, d, j], time[3, d, j], time[2, d, j] }
        ' "platforms/$machine.ini" "$new/offsets-traffic.csv" "$new/offsets-partitions.csv" "$new/offsets-offsets.csv"
        rm "$new/offsets-partitions.csv" "$new/offsets-offsets.csv"
    }
    {
        echo machine,dimension,bytes,lists_us,partitions_us,bound_us
        lines ipsc860 ipsc860
        lines ipsc860 copy -s gather_cost=0.54     # its rho
        lines ncube2 ncube2
        lines bokhari1993 bokhari1993 -s rho=0
    } >"$new/offsets-times.csv"
    draw offsets-times
    draw offsets-worth
fi

# --- any number of processors ---

if wanted processors; then
    # How far above the bound one radix, the best radices and the best lists are for 6 to 128 processors, in percent: at worst
    # and on average over 49 sizes from 1 to 64 bytes, evenly on a logarithmic scale. The last face is Direct, which tells
    # what a start-up and a byte take; the bound is that of models/OFFSETS.md.
    for choice in "one --radix one" "radices --radix mixed" "lists --family offsets"; do
        # shellcheck disable=SC2086 # words on purpose
        hull "processors-${choice%% *}" -m bokhari1993 -s rho=0 -s topology=crossbar -n 6:128:1 ${choice#* }
    done
    awk -F, '
        function traffic(n, k,    w, reached, served, sum) {
            for (reached = w = 1; n > 0; w++) {
                reached *= (k - w + 1) / w
                served = reached < n ? reached : n
                sum += w * served
                n -= served
            }
            return sum
        }
        { gsub(/"[^"]*"/, "") }
        FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            p = $column["processors"]
            slope = $column["slope_us_per_byte"]; intercept = $column["intercept_us"]; to = $column["to_bytes"]
            if (to == "") { start = intercept / (p - 1); byte = slope / (p - 1) }
            for (j = 0; j <= 48; j++) {
                m = 2 ^ (j / 8)
                if (m >= $column["from_bytes"] && (to == "" || m < to))
                    time[file, p, j] = intercept + slope * m
            }
        }
        END {
            print "processors,one_worst,radices_worst,lists_worst,one_mean,radices_mean,lists_mean"
            for (p = 6; p <= 128; p++) {
                for (k = 1; 2 ^ k < p;)
                    k++
                for (least = k; k < p; k++)
                    w[k] = traffic(p - 1, k)
                for (file = 1; file <= 3; file++)
                    worst[file] = sum[file] = 0
                for (j = 0; j <= 48; j++) {
                    m = 2 ^ (j / 8); bound = 0
                    for (k = least; k < p; k++)
                        if (!bound || k * start + byte * m * w[k] < bound)
                            bound = k * start + byte * m * w[k]
                    for (file = 1; file <= 3; file++) {
                        over = 100 * (time[file, p, j] / bound - 1)
                        worst[file] = over > worst[file] ? over : worst[file]
                        sum[file] += over / 49
                    }
                }
                printf "%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", p, worst[1], worst[2], worst[3], sum[1], sum[2], sum[3]
            }
        }' "$new/processors-one.csv" "$new/processors-radices.csv" "$new/processors-lists.csv" >"$new/processors.csv"
    rm "$new/processors-one.csv" "$new/processors-radices.csv" "$new/processors-lists.csv"
    draw processors
fi

# --- from traces: a heat map and a space-time diagram ---

# trace NAME OPTION...: NAME.csv, the trace of one run without handshakes and barriers.
trace() {
    name=$1
    shift
    ecube run -m ipsc860 -s pairwise_sync=false -s phase_barrier=false "$@" --trace "$new/$name.csv" >/dev/null
}

if wanted heat-map; then
    for algorithm in naive reversed; do
        trace heat-map-$algorithm -d 5 -a $algorithm -b 400
    done
    draw heat-map 5 400 "naive reversed"
fi

if wanted space-time; then
    trace space-time-naive -d 3 -a naive -b 200
    trace space-time-direct -d 3 -a direct -b 200
    trace space-time-multiphase -d 3 -a multiphase -p 1,2 -b 200
    draw space-time 3 200 "naive direct multiphase" \
        "Naive, all send to 0, 1, 2, ... in that order;Direct;Multiphase (1,2)"
fi

# --- a page, and an index of the scenarios ---

if wanted naive-against-direct scenarios; then
    ecube report scenarios/naive-against-direct.ini --output "$new/naive-against-direct.html"
    scripts/figures/scenarios.sh "$new/scenarios"
fi

# --- spanning graphs ---

if wanted johnsson1987-figure3; then
    sweep johnsson1987-figure3 johnsson1987-figure3
    draw johnsson1987-figure3
fi

if wanted broadcast-packets; then
    sweep broadcast-packets broadcast-packets
    run broadcast-packets-optimal scenarios/broadcast-packets.ini --packet optimal
    draw broadcast-packets
fi

if wanted broadcast-map; then
    # The fastest graph for every start-up and size, of two equal ones the first, on a machine whose t_c is 1 µs.
    ecube sweep -m johnsson1987 -d 4 --pattern broadcast -a sbt,nrsbt,nesbt,tcbt,gc --element 4 --packet optimal \
        --ports "one;all" -s lambda=1:4096:x2 -b 4:16384:x2 --output "$new/broadcast-map-runs.csv"
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            match($0, /lambda=[0-9]+/)
            point = $column["ports"] "," substr($0, RSTART + 7, RLENGTH - 7) "," $column["bytes"] / 4
            if (!(point in least))
                order[++n] = point
            if (!(point in least) || $column["simulated_us"] + 0 < least[point]) {
                least[point] = $column["simulated_us"] + 0
                best[point] = $column["algorithm"]
            }
        }
        END {
            print "ports,tau_over_tc,elements,algorithm,simulated_us"
            for (i = 1; i <= n; i++)
                print order[i] "," best[order[i]] "," least[order[i]]
        }' "$new/broadcast-map-runs.csv" >"$new/broadcast-map.csv"
    rm "$new/broadcast-map-runs.csv"
    draw broadcast-map
fi

if wanted ports; then
    sweep broadcast-ports broadcast-ports
    sweep exchange-ports exchange-ports
    draw ports
fi

if wanted hybrid; then
    sweep hybrid all-broadcast-hybrid
    draw hybrid
fi

# tree NAME GRAPH DIMENSION
tree() {
    ! wanted "$1" || ecube tree "$2" -d "$3" --format svg --output "$new/$1.svg"
}
tree tree-sbt sbt 5
tree tree-sbnt sbnt 5
tree tree-nesbt nesbt 3

# --- permutations ---

if wanted ho1988-figure5; then
    sweep ho1988-figure5 ho1988-figure5
    draw ho1988 ho1988-figure5 bytes 0 "The one-bit shuffle on a 5-cube"
fi
if wanted ho1988-figure6 ho1988-figure7; then
    sweep ho1988-figures6-7 ho1988-figures6-7
    draw ho1988 ho1988-figure6 dimension 8 "The one-bit shuffle, 8 bytes per processor"
    draw ho1988 ho1988-figure7 dimension 1024 "The one-bit shuffle, 1 kB per processor"
fi
if wanted ho1988-figure8; then
    sweep ho1988-figure8 ho1988-figure8
    draw ho1988 ho1988-figure8 bytes 0 "A two-dimensionally partitioned matrix transposed on a 6-cube"
fi
if wanted router-contention; then
    sweep router-contention router-contention
    draw router-contention
fi

# --- meshes ---

if wanted mesh-flows; then
    for barrier in false clock; do
        ecube compare -m touchstone -n 8x8 -s phase_barrier=$barrier -a direct,scheduled -b 8:16384:x2 --format csv \
            >"$new/mesh-flows-$barrier.csv"
    done
    draw mesh-flows
fi

# --- matrix multiplication ---

# matmul NAME OPTION...: NAME.csv from ecube sweep.
matmul() {
    csv=$1
    shift
    ecube sweep --pattern matmul "$@" --output "$new/$csv.csv"
}

iter="-s duplex=full,half --grid column -a a1"
if wanted johnsson1987-figure9 johnsson1987-figure10; then
    # shellcheck disable=SC2086 # words on purpose
    {
        matmul johnsson1987-figure9 -m "ipsc1;ipsc1:first" -d 0:6:1 --shape 32x32x32 --routing sbt,gcea $iter
        matmul johnsson1987-figure10 -m ipsc1 -d 5 --shape 32x32x32 --routing hybrid --accumulate 0:5:1 $iter
    }
    draw linear-arrays
    draw limited-buffers
fi
if wanted johnsson1987-figure19; then
    matmul johnsson1987-figure19 -m ipsc1 -s duplex=full,half -d 5 --shape "256x32x128;512x32x64;1024x32x32" \
        --grid "32x1;16x2;8x4;4x8;2x16;1x32" -a a1
    draw aspect-ratios
fi

map() {
    name=johnsson1987-figure$1
    shift
    figure "$name" regions "$@"
}

map 11 -m johnsson1987:equal -d 4 --grid column
map 12 -m johnsson1987 -d 4 --grid column
map 13 -m johnsson1987:equal -d 10 --grid column
map 14 -m johnsson1987:equal -d 4 --grid column --unit 1
map 14-arithmetic -m johnsson1987:equal -s flop=1 -d 4 --grid column --unit 1
map 20 -m johnsson1987:equal -d 4
map 21 -m johnsson1987:equal -d 7
map 22 -m johnsson1987 -d 7
map 23 -m johnsson1987:equal -d 10
map 25 -m johnsson1987:equal -d 4 --ports all
map 26 -m johnsson1987:equal -d 10 --ports all

# grids NAME ALGORITHM SHAPE OPTION...: the best grid of 16 processors at 1 ... 16 N of two sides, x and y in SHAPE.
grids() {
    name=$1 algorithm=$2 shape=$3
    shift 3
    for y in $(seq 16); do
        for x in $(seq 16); do
            sides=$(echo "$shape" | sed "s/X/$((16 * x))/;s/Y/$((16 * y))/")
            ecube best -d 4 --pattern matmul --shape "$sides" --format csv "$@" |
                sed -n "s/^$algorithm,\([^,]*\),.*/$x,$y,\1/p"
        done
    done | sed '1ix,y,grid' >"$new/$name.csv"
}
if wanted johnsson1987-figure18; then
    grids johnsson1987-figure18 a1 Yx256xX -m johnsson1987
    draw best-grids "$name" "A1, one port: the best grid of N = 16 processors" R P 'P/R = 2 N1^2/N' "0.125 0.5 2 8"
fi
if wanted johnsson1987-figure24; then
    grids johnsson1987-figure24 a2 256xYxX -m johnsson1987:nport
    draw best-grids "$name" "A2, n ports: the best grid of N = 16 processors" R Q 'Q/R = 2/3 and 3/2' "0.6666667 1.5"
fi

# --- the papers' claims, with the figures ---

if wanted papers; then
    {
        ecube reproduce --format html | sed '/<\/body>/d'
        (cd "$new" && ls [a-z]*[0-9]-figure*.svg) | sed 's/.*/<img src="&" alt="&">/'
        echo '</body></html>'
    } >"$new/papers.html"
fi

[ "$to" != --list ] || exit 0
if [ -z "$(ls "$new")" ]; then
    echo "figures.sh: '$only' is not allowed; allowed: those of figures.sh --list" >&2
    exit 2
fi
rm -rf "$to"
mv "$new" "$to"
