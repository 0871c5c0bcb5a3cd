# The hull of optimality: faces thick, over the lines of all partitions if there are any. `from`, `to`, slope and intercept
# of the faces are in $faces, slope and intercept of the lines in $lines. The first `n` lines belong to the faces. If
# vertices are close to the origin, a second panel shows the sizes up to `zoom`. `meet`: the size at which all partitions
# of two parts take `meet_time`, or 0.
# `colours` has a word for each face. $labels has x, y and text of each label, and its panel, negative if the label stands
# above the vertex.
set label 1 title at screen 0.5, 0.96 center font ',13' noenhanced
set xlabel 'block size m (bytes)'
outside = -1        # of the panels; labels that are all NaN crash gnuplot 5.4
set multiplot
set bmargin at screen 0.11
set lmargin at screen 85.0 / width
set rmargin at screen (zoom > 0 ? 600.0 : 760.0) / width
set tmargin at screen 0.91
do for [panel = 1:(zoom > 0 ? 2 : 1)] {
    last = panel == 1 ? xmax : zoom
    if (panel == 1) {
        set ylabel y_title
        set yrange [0:ymax]
        set key at screen (width - 200.0) / width, 0.9 left top noenhanced
        if (meet > 0) {
            set label 2 sprintf("all partitions of two parts\nmeet at %.4g bytes", meet) at graph 0.98, graph 0.24 right front
            set arrow 2 from meet, meet_time to graph 0.85, graph 0.28 nohead lw 0.8 front
            set object 1 circle at meet, meet_time radius character 1.1 fs empty border rgb 'black' lw 1.5 front
        }
    } else {
        unset label
        unset arrow
        unset object
        unset ylabel
        unset key
        set lmargin at screen 670.0 / width
        set rmargin at screen (width - 220.0) / width
        set tmargin at screen 0.84
        set title 'near the origin'
        set yrange [0:yzoom]
    }
    set xrange [0:last]
    plot for [k = n_lines:n + 1:-1] $lines every ::(k - 1)::(k - 1) using (0):2:(last):($1 * last) \
            with vectors nohead lw 1 lc rgb 0xB4B4B4 title (k == n_lines && k > n ? 'other partitions' : ''), \
        for [k = 1:n] $lines every ::(k - 1)::(k - 1) using (0):2:(last):($1 * last) with vectors nohead lw 1.2 dt 2 \
            lc rgb word(colours, k) notitle, \
        for [k = 1:n_faces] $faces every ::(k - 1)::(k - 1) using 1:($3 * $1 + $4):($2 - $1):($3 * ($2 - $1)) \
            with vectors nohead lw 3.2 lc rgb word(colours, k) title word(names, k), \
        $faces using ($1 > 0 ? $1 : NaN):($3 * $1 + $4) with points pt 7 ps 0.9 lc rgb black title 'vertex', \
        $labels using ($4 == panel ? $1 : outside):2:3 with labels left offset 0.5, -0.7 notitle, \
        $labels using ($4 == -panel ? $1 : outside):2:3 with labels right offset -0.5, 0.7 notitle
}
unset multiplot
