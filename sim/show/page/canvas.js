/* Colours, and a canvas to draw on, for all pictures. */

export const FOOT = 22;                 /* below a picture's rows, for the numbers of its columns */

/* Returns the colours of the page's style, light or dark, by their names there; `pattern` fills waits. */
export function readTheme() {
    const style = getComputedStyle(document.documentElement), theme = {};
    for (const name of ["back", "text", "faint", "line", "node", "select", "startup", "circuit", "wait", "transmit",
                        "receive", "shuffle", "compute", "barrier", "grown", "path", "handshake", "host", "reconfigure"])
        theme[name] = style.getPropertyValue("--" + name).trim();
    theme.kinds = [theme.startup, "", theme.wait, theme.transmit, theme.shuffle, theme.compute, theme.barrier,
                   theme.circuit, theme.receive, theme.handshake, theme.reconfigure];
    theme.lines = Array.from({length: 12}, (_, k) => style.getPropertyValue("--line" + k).trim());
    theme.edges = theme.kinds.map(colour => colour && mix(colour, "#000000", 0.45));
    theme.tint = mix(theme.wait, theme.back, 0.62);
    theme.pattern = hatch(theme.wait, theme.back);
    theme.id = Object.values(theme).join();
    return theme;
}

/* Returns stripes, which set waits apart for readers who cannot see the colour. */
function hatch(colour, back) {
    const tile = Object.assign(document.createElement("canvas"), {width: 8, height: 8}), pen = tile.getContext("2d");
    paintBox(pen, back, 0, 0, 8, 8);
    Object.assign(pen, {strokeStyle: colour, lineWidth: 2.6});
    pen.stroke(new Path2D("M-10 10 2 -2M-2 10 10 -2M6 10 18 -2"));
    return pen.createPattern(tile, "repeat");
}

/* "#rrggbb", between two such colours; and as a pixel of ImageData: alpha, blue, green, red. */
export const mix = (one, other, share) => "#" + [1, 3, 5].map(at => [one, other]
    .map(colour => parseInt(colour.slice(at, at + 2), 16))).map(([from, to]) =>
    Math.round(from + (to - from) * share).toString(16).padStart(2, "0")).join("");
export const pixelOf = colour => parseInt("ff" + colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16);

/* Returns the pixels of the screen, or of paper, in a unit of the page. */
export const screenRatio = () => (window.devicePixelRatio || 1) * (matchMedia("print").matches ? 3 : 1);

/* Sets a canvas to its size on the page, in the pixels of the screen. Its pen draws in units of the page. */
export function openCanvas(canvas, width = canvas.clientWidth, height = canvas.clientHeight) {
    const ratio = screenRatio();
    for (const [side, length] of Object.entries({width, height}))
        if (canvas[side] !== Math.round(length * ratio))
            canvas[side] = Math.round(length * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return {pen, width, height, ratio};
}

/* Returns the power of 2 that is at least `least`. */
export const powerOf2 = least => 2 ** Math.max(0, Math.ceil(Math.log2(least)));

/* n cells side by side, of whole pixels of the screen; one for 2, 4, ... of them where they would be thinner. */
export function wholeCells(room, n, ratio) {
    const pixels = Math.max(1, room * ratio), group = powerOf2(n / pixels);
    return {group, size: Math.floor(pixels * group / n) / ratio};
}

export function paintBox(pen, colour, ...box) {
    pen.fillStyle = colour;
    pen.fillRect(...box);
}

export function paintDisc(pen, colour, x, y, radius) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
}

export function paintText(pen, colour, text, x, y) {
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
}

/* Paints text with an edge that sets it off, in the style of the pen's strokes. */
export function paintEdged(pen, colour, text, x, y) {
    pen.strokeText(text, x, y);
    paintText(pen, colour, text, x, y);
}
