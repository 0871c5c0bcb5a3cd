# An array or a ring on the cube. $nodes: x, y, processor, address; $edges: x, y, dx, dy, dimension (-1: two of them),
# label and where it stands.
array colours[8] = [blue, vermilion, 0x007F5F, 0xC8408F, 0xB07D00, 0x6B4FBB, 0x7A4B2A, 0x555555]
set title title noenhanced
set border 0
unset tics
unset grid
unset key
set lmargin 1
set rmargin 1
set bmargin 1
set tmargin 3.5
set xrange [x_min:x_max]
set yrange [y_max:y_min]
colour(k) = k < 0 ? black : colours[1 + int(k) % 8]
plot $edges using 1:2:3:4:(colour($5)) with vectors nohead lw 2 lc rgb variable, \
    $edges using 7:8 with points pt 7 ps 1.7 lc rgb 'white', \
    $edges using 7:8:6:(colour($5)) with labels font ',9' boxed tc rgb variable noenhanced, \
    $nodes using 1:2 with points pt 7 ps node_size lc rgb 0xE8EEF4, \
    $nodes using 1:2 with points pt 6 ps node_size lw 0.8 lc rgb black, \
    $nodes using 1:2:(sprintf('%d', column(3))) with labels offset 0, (big ? 0.35 : 0) font (big ? ',10' : ',8'), \
    $nodes using 1:2:(big ? stringcolumn(4) : '') with labels offset 0, -0.5 font ',7' tc rgb 0x606060 noenhanced
