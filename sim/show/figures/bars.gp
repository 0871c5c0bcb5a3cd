# Times as bars: $bars has times, labels, bounds (0 for none) and colours, names[] the names. `bounded`: whether there are
# bounds. `margin`: pixels to the left of the bars.
set title title noenhanced
set xlabel x_title
stats $bars using 1 name 'times' nooutput
set xrange [0:times_max > 0 ? 1.14 * times_max : 1]     # room for the longest bar's label
set yrange [n - 0.4:-0.6]
set ytics scale 0 () noenhanced
do for [i = 1:n] { set ytics add (names[i] i - 1) }
set border 1
set lmargin at screen margin / width
set rmargin at screen 1 - 25.0 / width
set tmargin at screen 1 - top / height
set bmargin at screen 60.0 / height
set style fill solid 1 noborder
unset grid
set grid x lt 1 lc rgb 0xE4E4E4 lw 0.6
unset key
plot $bars using 1:0:(0):1:($0 - 0.35):($0 + 0.35):4 with boxxyerror lc rgb variable, \
    $bars using 1:0:2 with labels left offset 0.6, 0 font ',10', \
    $bars using (bounded && $3 > 0 ? $3 : NaN):($0 - 0.5):(0):(1) with vectors nohead dt 2 lw 1.4 lc rgb black
