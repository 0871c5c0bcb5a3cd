# Settings of all figures: those of `--figure` and `ecube plot`, which link this in, and those of scripts/figures.
# They require `format` (svg, png or pdf), `width` and `height`.

if (format eq 'svg') {
    set terminal svg size width, height font 'DejaVu Sans,sans-serif,12' background rgb 'white' linewidth 1.2
}
if (format eq 'png') {
    set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,12' fontscale 1.75 linewidth 2.4 pointscale 2.3 \
        background rgb 'white'
}
if (format eq 'pdf') {
    set terminal pdfcairo size width / 96.0, height / 96.0 font 'DejaVu Sans,9' linewidth 1.2 pointscale 0.75 \
        background rgb 'white'
}
set encoding utf8

# Okabe & Ito's colours, which colour-blind readers can tell apart.
black = 0x000000
orange = 0xE69F00
sky = 0x56B4E9
green = 0x009E73
yellow = 0xF0E442
blue = 0x0072B2
vermilion = 0xD55E00
purple = 0xCC79A7
grey = 0x707070

# Without the blank that stands for a sign, which would move numbers off their tics.
set format '%h'
set border 3 lw 0.8
set tics out nomirror scale 0.6
set grid lt 1 lc rgb 0xE4E4E4 lw 0.6
set key samplen 3 spacing 1.15 Left reverse
set style textbox opaque noborder fillcolor rgb 'white'

# Labels of logarithmic axes, as in `set ytics (@labels)`: versions 5 and 6 of gnuplot choose different ones.
labels = '0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7'
decades = '0.001, 0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7'
