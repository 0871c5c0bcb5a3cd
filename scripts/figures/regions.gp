# Which algorithm multiplies P x Q x R matrices fastest: slices of a map by `ecube regions` (Johnsson & Ho 1987, figures
# 11 to 14, 20 to 23, 25 and 26); digits are the algorithms' numbers. Shapes that were simulated have a ring where the
# fastest algorithm is that of the map, and the number of another one in black where it is not. Arguments: folder,
# format, name, title, the values of p, the unit of P, Q and R (none: elements), 1 if shapes were simulated.
folder = ARG1
format = ARG2
name = ARG3
slices = ARG5
unit = ARG6
in_unit = strlen(unit) ? ' (' . unit . ')' : ''
has_points = int(ARG7)
width = 1000
height = 700
load 'scripts/figures/common.gp'
set datafile missing NaN

map = folder . '/' . name . '.csv'
points = has_points ? folder . '/' . name . '-simulated.csv' : map
array colours[5] = [0xA6CEE3, 0xF0E442, 0xCC79A7, 0xE69F00, 0x009E73]
number(dummy) = int(strcol('best')[2:2])

# Where the cell of a row is, if it is in a slice; else outside the panel.
outside = -10
of_slice(p) = column('p') == p ? column('q') : outside
simulated(p, as_mapped) = has_points && (strcol('best') eq strcol('on_map')) == as_mapped ? of_slice(p) : outside
stats map using 'q' nooutput
side = STATS_max

unset grid
unset key
set border 15
set xrange [0.5:side + 0.5]
set yrange [0.5:side + 0.5]
set xtics scale 0 (1, side / 4, side / 2, 3 * side / 4, side)
set ytics scale 0 (1, side / 4, side / 2, 3 * side / 4, side)
set style fill solid 1 border lc rgb 0xFFFFFF
set multiplot
set label 1 ARG4 at screen 0.5, 0.975 center font ',13'
key = 'digits: the number of the algorithm that is fastest by the tables'
key = key . (has_points ? '. Simulated: ring - the same one; black - this one instead' : '')
set label 2 key at screen 0.5, 0.945 center font ',10'
do for [k = 1:words(slices)] {
    p = int(word(slices, k))
    column_number = (k - 1) % 3
    row = (k - 1) / 3
    set lmargin at screen (70.0 + 315 * column_number) / width
    set rmargin at screen (70.0 + 315 * column_number + 275) / width
    set tmargin at screen 0.89 - 0.45 * row
    set bmargin at screen 0.52 - 0.45 * row
    set title sprintf('P = %d %s', p, unit) offset 0, -0.5
    set xlabel row == 1 ? 'Q' . in_unit : '' offset 0, 0.3
    set ylabel column_number == 0 ? 'R' . in_unit : ''
    plot map using (of_slice(p)):(column('r')):(0.5):(0.5):(colours[number(0)]) with boxxyerror lc rgb variable, \
        map using (of_slice(p)):(column('r')):(strcol('best')[2:2]) with labels font ',7' tc rgb 0x404040, \
        points using (simulated(p, 1)):(column('r')) with points pt 6 ps 1.4 lw 1.2 lc rgb black, \
        points using (simulated(p, 0)):(column('r')):(0.5):(0.5) with boxxyerror fc rgb black, \
        points using (simulated(p, 0)):(column('r')):(strcol('best')[2:2]) with labels font ',8' tc rgb 0xFFFFFF
    unset label 1
    unset label 2
}
unset multiplot
