# Which algorithm multiplies P x Q x R matrices fastest: slices of a map (Johnsson & Ho 1987, figures 11 to 14, 20 to 23, 25
# and 26). $cells, an index for each slice: the algorithm's number, and the rectangles that its regions consist of;
# $names: slice, where, name.
array colours[5] = [0xA6CEE3, 0xF0E442, 0xCC79A7, 0xE69F00, 0x009E73]
unset grid
unset key
set border 15
set xrange [0.5:side + 0.5]
set yrange [0.5:side + 0.5]
set xtics scale 0 (1)
set ytics scale 0 (1)
do for [k = 1:4] {
    tic = int(side * k / 4.0 + 0.5)
    set xtics add (tic)
    set ytics add (tic)
}
set style fill solid 1 border
set multiplot
set label 1 title at screen 0.5, 1 - 18.0 / height center font ',13' noenhanced
set label 2 'regions have the name of the fastest algorithm' at screen 0.5, 1 - 40.0 / height center font ',10' noenhanced
outside = -10     # of the panel; labels that are all NaN crash gnuplot 5.4
do for [k = 1:words(slices)] {
    at_column = (k - 1) % 3
    at_row = (k - 1) / 3
    set lmargin at screen (70.0 + 315 * at_column) / width
    set rmargin at screen (70.0 + 315 * at_column + 275) / width
    set tmargin at screen 1 - (80.0 + 315 * at_row) / height
    set bmargin at screen 1 - (80.0 + 315 * at_row + 255) / height
    set title 'P = ' . word(slices, k) . p_unit offset 0, -0.5
    x_title = k + 3 > words(slices) ? 'Q' . unit : ''
    set xlabel x_title offset 0, 0.3
    set ylabel at_column == 0 ? 'R' . unit : ''
    plot $cells index k - 1 using 2:3:2:4:3:5:(colours[int($1)]) with boxxyerror lw 0.5 lc rgb variable, \
        $names using ($1 == k ? $2 : outside):3:4 with labels font ',11' tc rgb 0x202020
    unset label 1
    unset label 2
}
unset multiplot
