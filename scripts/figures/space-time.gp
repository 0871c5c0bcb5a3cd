# A space-time diagram: processors down, time across, one panel for each trace.
# Arguments: folder, format, d, m, the names of the traces separated by blanks, and what they are, separated by semicolons.
# For another run than a complete exchange on the iPSC/860 also: the title, and the figure's name, with which the names of
# the traces' files begin.
folder = ARG1
format = ARG2
d = int(ARG3)
bytes = int(ARG4)
traces = ARG5
titles = ARG6
title = ARGC > 6 ? ARG7 \
    : sprintf('Complete exchange on the iPSC/860, d = %d, m = %d bytes, without handshakes and barriers', d, bytes)
name = ARGC > 7 ? ARG8 : 'space-time'
n = words(traces)
width = 1150
panel_height = 300
height = n * panel_height + 120
load 'scripts/figures/common.gp'

file(k) = folder . '/' . name . '-' . word(traces, k) . '.csv'

nth(s, k) = k == 1 ? before(s, ';') : nth(after(s, ';'), k - 1)

# One time scale for all panels.
array finish[n]
last = 0
computes = 0
do for [k = 1:n] {
    stats file(k) using 6 nooutput
    finish[k] = STATS_max / 1000
    if (finish[k] > last) { last = finish[k] }
    stats file(k) using (strcol(1) eq 'compute') nooutput
    if (STATS_max > 0) { computes = 1 }
}

# A box from start to end, in the row of the processor.
x(kind) = strcol(1) eq kind ? column('start_us') / 1000 : NaN
x2(i) = column('end_us') / 1000
row(high) = column('processor') + high
receiver(high) = column('destination') + high
middle(kind) = (x(kind) + x2(0)) / 2

# Only where there is any: an empty iteration would still have room in the key.
arithmetic = computes ? "file(k) using (x('compute')):(row(0)):(x('compute')):(x2(0)):(row(-0.35)):(row(0.34)) " \
    . "with boxxyerror lc rgb grey title 'arithmetic'," : ''

set xrange [0:last]
set yrange [2**d - 0.4:-0.6]
set ytics 1
set ylabel 'processor'
unset grid
set grid x lt 1 lc rgb 0xE4E4E4 lw 0.6
set style fill solid 1 noborder
set border 1
set multiplot
set label 1 title at screen 0.5, 1 - 18.0 / height center font ',13'
top(k) = 1 - (100.0 + (k - 1) * panel_height) / height
set lmargin at screen 70.0 / width
set rmargin at screen 1125.0 / width
do for [k = 1:n] {
    set tmargin at screen top(k)
    set bmargin at screen top(k) - (panel_height - 40.0) / height
    set title sprintf('%s: %.3f ms', nth(titles, k), finish[k]) offset 0, -0.5
    unset key
    unset xlabel
    set format x ''
    if (k == 1) { set key at screen 0.5, 1 - 50.0 / height center horizontal maxrows 1 samplen 1.2 width 1 font ',11' }
    if (k == n) { set format x '%g'; set xlabel 'time (ms)' }
    plot file(k) using (x('channel')):(row(0)):(x('channel')):(x2(0)):(row(-0.35)):(row(0.15)) \
            with boxxyerror lc rgb sky title 'setting up a circuit', \
        file(k) using (x('startup')):(row(0)):(x('startup')):(x2(0)):(row(-0.35)):(row(0.15)) \
            with boxxyerror lc rgb yellow title 'start-up', \
        file(k) using (x('wait')):(row(0)):(x('wait')):(x2(0)):(row(-0.35)):(row(0.15)) \
            with boxxyerror lc rgb 'white' notitle, \
        file(k) using (x('wait')):(row(0)):(x('wait')):(x2(0)):(row(-0.35)):(row(0.15)) \
            with boxxyerror lc rgb vermilion fs pattern 5 noborder title 'waiting', \
        file(k) using (x('transmit')):(row(0)):(x('transmit')):(x2(0)):(row(-0.35)):(row(0.15)) \
            with boxxyerror lc rgb blue title 'transmission (to)', \
        file(k) using (x('transmit')):(receiver(0)):(x('transmit')):(x2(0)):(receiver(0.20)):(receiver(0.34)) \
            with boxxyerror lc rgb green title 'reception', \
        @arithmetic \
        file(k) using (x('shuffle')):(row(0)):(x('shuffle')):(x2(0)):(row(-0.35)):(row(0.34)) \
            with boxxyerror lc rgb purple title 'shuffle', \
        file(k) using (middle('transmit')):(row(-0.1)):(sprintf('%d', column('destination'))) \
            with labels font ',8' tc rgb 'white' notitle
    unset label 1
}
unset multiplot
