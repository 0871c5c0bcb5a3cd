# How many circuits are best: $faces has rectangles (bytes from and to, reconfigure from and to, circuits), $gaps places
# with the percentage by which the best list exceeds the bound.
set title title noenhanced
set xlabel 'block size m (bytes)'
set ylabel 'time to reconfigure (µs)'
set logscale xy
set xtics (@decades)
set ytics (@decades)
set xrange [1:most_bytes]
set yrange [first_us:last_us]
set format xy '10^{%L}'
unset grid
set border 15
set key outside right top title 'circuits'
colour(q) = q <= 1 ? 0x08306B : q <= 2 ? 0x2171B5 : q <= 3 ? 0x6BAED6 : q <= 4 ? 0xC6DBEF : q <= 6 ? 0xFEE391 : \
    q <= 12 ? 0xFE9929 : 0xCC4C02
set style fill solid 1 noborder
set label 1 "numbers: % above\nthe bound" at graph 1.03, graph 0.3 font ',10'
plot $faces using 1:3:1:2:3:4:(colour($5)) with boxxyerror lc rgb variable notitle, \
    NaN with boxes lc rgb 0x08306B title '1: a ring', NaN with boxes lc rgb 0x2171B5 title '2', \
    NaN with boxes lc rgb 0x6BAED6 title '3', NaN with boxes lc rgb 0xC6DBEF title '4', \
    NaN with boxes lc rgb 0xFEE391 title '5, 6', NaN with boxes lc rgb 0xFE9929 title '7 to 12', \
    NaN with boxes lc rgb 0xCC4C02 title 'more', \
    $gaps using 1:2:(sprintf('%.1f', $3)) with labels font ',9' boxed notitle
