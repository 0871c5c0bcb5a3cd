# Heat maps of two exchanges that contend: how long every directed channel and receive port is held, and how long messages
# wait for it. Arguments: folder, format, d, m, the names of two traces separated by a blank.
folder = ARG1
format = ARG2
d = int(ARG3)
bytes = int(ARG4)
traces = ARG5
name = 'heat-map'
width = 1160
height = 600
load 'scripts/figures/common.gp'

file(k) = folder . '/' . name . '-' . word(traces, k) . '.csv'

# Cells are numbered node x (d + 1) + dimension; the receive port comes after the dimensions.
log2(x) = int(floor(log(x) / log(2) + 0.5))
from(i) = int(column('channel_from'))
to(i) = int(column('channel_to'))
cell(i) = from(0) * (d + 1) + (from(0) == to(0) ? d : log2(from(0) ^ to(0)))
port(i) = int(column('destination')) * (d + 1) + d
ms(i) = (column('end_us') - column('start_us')) / 1000
kind(k) = strcol(1) eq k
# a wait for a transmission the other way is for no channel and no port
placed(i) = kind('wait') && strlen(strcol('channel_from')) > 0

array finish[2]
do for [k = 1:2] {
    stats file(k) using 6 nooutput
    finish[k] = STATS_max / 1000
}
set table $use1
plot file(1) using (kind('channel') ? cell(0) : kind('transmit') ? port(0) : -1):(ms(0)) smooth frequency
set table $use2
plot file(2) using (kind('channel') ? cell(0) : kind('transmit') ? port(0) : -1):(ms(0)) smooth frequency
set table $wait1
plot file(1) using (placed(0) ? cell(0) : -1):(ms(0)) smooth frequency
set table $wait2
plot file(2) using (placed(0) ? cell(0) : -1):(ms(0)) smooth frequency
unset table
set datafile separator whitespace
set datafile nocolumnheaders

# Cells without a row stay white; rows that do not count are in cell -1.
node(i) = int(i) / (d + 1)
lane(i) = int(i) % (d + 1)
stats $use1 using ($1 < 0 ? NaN : $2 / finish[1] * 100) nooutput
most = STATS_max
stats $use2 using ($1 < 0 ? NaN : $2 / finish[2] * 100) nooutput
most = STATS_max > most ? STATS_max : most
stats $wait1 using ($1 < 0 ? NaN : $2) nooutput
longest = STATS_max
stats $wait2 using ($1 < 0 ? NaN : $2) nooutput
longest = STATS_max > longest ? STATS_max : longest

set xrange [-0.5:2**d - 0.5]
set yrange [d + 0.5:-0.5]
set xtics 4
set mxtics 4
unset grid
unset key
set border 15
set style fill solid 1 border lc rgb 0xFFFFFF
set multiplot
set label 1 sprintf('Channel use and waiting on the iPSC/860, d = %d, m = %d bytes, without handshakes and barriers', d, bytes) \
    at screen 0.46, 0.965 center font ',13'
do for [row = 1:2] {
    do for [k = 1:2] {
        set lmargin at screen (k == 1 ? 125.0 : 610.0) / width
        set rmargin at screen (k == 1 ? 555.0 : 1040.0) / width
        set tmargin at screen row == 1 ? 0.86 : 0.43
        set bmargin at screen row == 1 ? 0.55 : 0.12
        what = row == 1 ? 'share of the time in use' : 'waiting for it'
        set title sprintf('(%s) %s, %.2f ms: %s', word('a b c d', 2 * row + k - 2), word(traces, k), finish[k], what) \
            offset 0, -0.4
        if (row == 2) { set xlabel 'processor the channel leaves, or whose port it is' } else { unset xlabel }
        if (k == 2) {
            unset ytics
        } else {
            set ytics out nomirror scale 0 ('' 0)
            do for [i = 0:d - 1] { set ytics add (sprintf('dimension %d', i) i) }
            set ytics add ('receive port' d)
        }
        unset colorbox
        if (k == 2) {
            set colorbox user origin 1060.0 / width, (row == 1 ? 0.55 : 0.12) size 18.0 / width, 0.31
            cb_title = row == 1 ? '% of the run' : 'ms in all'
            set cblabel cb_title offset 1.5
        }
        if (row == 1) {
            set palette defined (0 "#F2F7FB", 0.25 "#A6CBE3", 0.6 "#3787C0", 1 "#08306B")
            set cbrange [0:most]
        } else {
            set palette defined (0 "#FFF7EC", 0.25 "#FDC38D", 0.6 "#E2532F", 1 "#6B0000")
            set cbrange [0:longest]
        }
        if (k == 1 && row == 1) {
            plot $use1 using ($1 < 0 ? NaN : node($1)):(lane($1)):(0.5):(0.5):($2 / finish[1] * 100) with boxxyerror lc palette
        }
        if (k == 2 && row == 1) {
            plot $use2 using ($1 < 0 ? NaN : node($1)):(lane($1)):(0.5):(0.5):($2 / finish[2] * 100) with boxxyerror lc palette
        }
        if (k == 1 && row == 2) {
            plot $wait1 using ($1 < 0 ? NaN : node($1)):(lane($1)):(0.5):(0.5):2 with boxxyerror lc palette
        }
        if (k == 2 && row == 2) {
            plot $wait2 using ($1 < 0 ? NaN : node($1)):(lane($1)):(0.5):(0.5):2 with boxxyerror lc palette
        }
        unset label 1
    }
}
unset multiplot
