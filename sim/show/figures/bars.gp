# Times as bars: $bars has names, times, labels and bounds, 0 for none. `bounded`: whether there are any.
set title title noenhanced
set xlabel x_title
set xrange [0:*]
set yrange [n - 0.4:-0.6]
unset ytics
set border 1
set lmargin at screen 0.2
set tmargin at screen 1 - 45.0 / height
set bmargin at screen 60.0 / height
set style fill solid 1 noborder
unset grid
set grid x lt 1 lc rgb 0xE4E4E4 lw 0.6
unset key
plot $bars using 2:0:(0):2:($0 - 0.35):($0 + 0.35):($0 == 0 ? blue : sky) with boxxyerror lc rgb variable, \
    $bars using (0):0:1 with labels right offset -1, 0 noenhanced, \
    $bars using 2:0:3 with labels left offset 0.6, 0 font ',10', \
    $bars using (bounded && $4 > 0 ? $4 : NaN):($0 - 0.5):(0):(1) with vectors nohead dt 2 lw 1.4 lc rgb black
