/* Time against block size. Between two knots the contention-free parts of a run are linear; simulated times are known at
 * the sizes of the page's runs alone. */

import {EDGE} from "./timeline.js";
import {largest} from "./moment.js";
import {FOOT, mix, openCanvas, paintBox, paintDisc, paintEdged, paintText} from "./canvas.js";
import {$, element} from "./facts.js";

const FILLS = ["handshake", "barrier", "reconfigure", "transmit", "circuit", "shuffle", "compute", "line", "startup"];
const ORDER = [8, 0, 2, 4, 3, 5, 1, 6, 7];       /* of the parts in a bar, as at the top of the page */
const SVG = "http://www.w3.org/2000/svg";

const total = list => list.reduce((all, one) => all + one, 0);

/* Returns the parts of a curve at a size, in ps. */
export function partsAt({knots}, bytes) {
    const k = Math.max(1, knots.findIndex(([at]) => at >= bytes)), [low, high] = [knots[k - 1], knots[k]];
    return low.slice(1).map((part, i) => part + (high[i + 1] - part) * (bytes - low[0]) / (high[0] - low[0]));
}

const totalAt = (curve, bytes) => total(partsAt(curve, bytes));

/* Returns a time in ps as people say it. */
export function spoken(time) {
    const [unit, size] = [["s", 1e12], ["ms", 1e9], ["\u00b5s", 1e6]].find(([, least]) => time >= least) ?? ["\u00b5s", 1e6];
    return (time / size).toFixed(time / size < 9.995 ? 2 : 1) + "\u00a0" + unit;
}

/* Returns which of [{name, time}] takes least, in words, and by how much; or which would, without by how much. */
function ranked(times, would) {
    const [best, next] = times.toSorted((one, other) => one.time - other.time), margin = next && 100 * (next.time / best.time - 1);
    return best.name + (would ? " would take " : " takes ") + (next ? "least, " : "") + spoken(best.time)
        + (margin <= 0.05 ? ", as does " + next.name : margin && !would ? "; " + next.name + " takes " + margin.toFixed(1) + "\u00a0% more" : "") + ".";
}

/* Returns round numbers above `low`, at most to `high`: a few at equal distances, or all 1, 2, 5, 10, ... */
function roundNumbers(low, high, log) {
    const step = 10 ** Math.floor(Math.log10(high / 2)), distance = step * [1, 2, 5, 10].find(one => high / one / step <= 6);
    const linear = Array.from({length: Math.floor(high / distance)}, (_, k) => (k + 1) * distance);
    const powers = Array.from({length: 20}, (_, k) => 10 ** k).flatMap(power => [power, 2 * power, 5 * power]);
    return log ? powers.filter(one => one >= low && one <= high) : linear;
}

export class SizeChart {
    constructor({sizes, hull}) {
        Object.assign(this, {sizes, vertices: hull.filter(({milli}) => milli > 0)});
        if (!sizes)
            return;
        const points = sizes.curves.flatMap(curve => curve.points);
        this.log = sizes.most / Math.max(1, Math.min(...points.map(([bytes]) => bytes || 1))) > 64;
        this.contends = sizes.curves.some(curve => curve.points.some(([bytes, time]) => time > totalAt(curve, bytes) + 2));
        this.bytesOfRuns = [...new Set(points.map(([bytes]) => bytes))];
        this.top = Math.max(...points.map(([, time]) => time), ...sizes.curves.map(curve => totalAt(curve, sizes.most)));
        this.least = Math.min(...sizes.curves.map(curve => Math.min(totalAt(curve, 1), totalAt(curve, sizes.most)))) / 1.3;
        $("sizes").hidden = false;
        $("size").value = this.share(this.bytesOfRuns.at(-1));
        $("size").oninput = () => this.show();
        $("curves").onclick = ({offsetX: x}) => { $("size").value = (x - EDGE) / ($("curves").clientWidth - EDGE); this.show(); };
    }

    /* Return where a size is on the axis, from 0 to 1, and back. */
    share = bytes => this.log ? Math.log(Math.max(1, bytes)) / Math.log(this.sizes.most) : bytes / this.sizes.most;
    size = share => Math.round(this.log ? this.sizes.most ** share : this.sizes.most * share);

    /* Returns the size of the slider, or the size of a run if that is near. */
    get bytes() {
        const at = Number($("size").value), near = largest(this.bytesOfRuns, one => -Math.abs(this.share(one) - at));
        return Math.abs(this.share(near) - at) < 0.01 ? near : this.size(at);
    }

    show(theme = this.theme) {
        this.theme = theme;
        if (!this.sizes)
            return;
        const {bytes} = this;
        $("bytes").textContent = bytes + (bytes === 1 ? "\u00a0byte" : "\u00a0bytes");
        $("winner").textContent = this.winner(bytes);
        this.drawCurves(bytes);
        this.drawStrip(bytes);
        this.fillBars(bytes);
    }

    /* Returns which run is the fastest at a size, in words: as simulated, or else without contention. */
    winner(bytes) {
        const {contends, sizes: {curves}} = this, runs = this.known(bytes), free = curves.map(curve =>
            ({name: curve.name, time: totalAt(curve, bytes)}));
        return runs.length ? ranked(runs) + (contends ? " Without contention " + ranked(free, true) : "")
            : "Without contention " + ranked(free) + (contends ? " Contention is not simulated at this size." : "");
    }

    /* Begins a canvas: returns its pen, and where a size and a share of the height are. */
    begin(id, bytes) {
        const {pen, width, height} = openCanvas($(id)), {theme} = this, high = height - FOOT;
        const x = at => EDGE + this.share(at) * (width - EDGE - 6), y = share => high - share * (high - 8);
        Object.assign(pen, {font: "11px system-ui, sans-serif", textBaseline: "middle", textAlign: "right"});
        paintBox(pen, theme.line, EDGE, high, width - EDGE, 1);
        paintBox(pen, theme.text, x(bytes) - 0.75, 0, 1.5, high);
        return {pen, theme, x, y, width, high};
    }

    /* Returns the simulated times of a size: [{name, colour, time}]. */
    known(bytes) {
        return this.sizes.curves.flatMap(({name, colour, points}) => points.filter(([at]) => at === bytes).map(([, time]) =>
            ({name, colour, time})));
    }

    line(pen, points, colour, dash = []) {
        Object.assign(pen, {strokeStyle: colour, lineWidth: 2});
        pen.setLineDash(dash);
        pen.beginPath();
        points.forEach(([x, y]) => pen.lineTo(x, y));
        pen.stroke();
        pen.setLineDash([]);
    }

    /* Returns the sizes at which lines have points: knots, and steps between them for a logarithmic axis. */
    stops({knots}) {
        const steps = Array.from({length: 65}, (_, k) => this.size(k / 64));
        return [...new Set([...knots.map(([at]) => at), ...this.log ? steps : []])].sort((one, other) => one - other);
    }

    colour = number => this.theme.lines[number % this.theme.lines.length];
    high = time => this.log ? Math.log(time / this.least) / Math.log(this.top / this.least) : time / this.top;

    drawCurves(bytes) {
        const {pen, theme, x, y, width, high} = this.begin("curves", bytes), names = [];
        for (const time of roundNumbers(this.log ? this.least : 0, this.top, this.log))
            paintText(pen, theme.text, spoken(time).replace(/\.0+\b/, ""), EDGE - 5, Math.max(7, y(this.high(time))));
        for (const curve of this.sizes.curves) {
            const colour = this.colour(curve.colour);
            this.line(pen, this.stops(curve).map(at => [x(at), y(this.high(totalAt(curve, at)))]), colour, [5, 3]);
            for (const [at, time] of curve.points)
                paintDisc(pen, colour, x(at), y(this.high(time)), 4);
            const last = curve.points.at(-1);
            const beside = x(last[0]) + 14 + pen.measureText(curve.name).width < width;
            names.push({text: curve.name, colour: mix(colour, theme.text, 0.3), x: x(last[0]) + (beside ? 8 : -8),
                        y: y(this.high(last[1])) - (beside ? 0 : 9), align: beside ? "left" : "right"});
        }
        names.sort((one, other) => one.y - other.y);
        names.forEach((name, k) => {
            name.y = Math.max(name.y, (names[k - 1]?.y ?? -6) + 13);
            Object.assign(pen, {lineWidth: 3, strokeStyle: theme.back, textAlign: name.align});
            paintEdged(pen, name.colour, name.text, name.x, name.y);
        });
        this.axis(pen, x, high, width, theme);
    }

    axis(pen, x, high, width, theme) {
        pen.textAlign = "center";
        const {most} = this.sizes, sizes = roundNumbers(this.log ? 1 : 0, most, this.log);
        for (const size of [...this.log ? [] : [0], ...sizes.filter(one => this.share(one) < 0.9), most]) {
            pen.textAlign = size === most ? "right" : this.share(size) ? "center" : "left";
            paintText(pen, theme.text, size + (size === most ? " bytes" : ""), size === most ? width : x(size), high + 12);
        }
    }

    /* Draws by how many percent each run is above the best, up to 100, and names the vertices of the hull. */
    drawStrip(bytes) {
        const {pen, theme, x, y, high} = this.begin("strip", bytes), steps = Array.from({length: 161}, (_, k) => this.size(k / 160));
        const least = steps.map(at => Math.min(...this.sizes.curves.map(curve => totalAt(curve, at))));
        for (const [share, text] of [[1, "100 %"], [0, "best"]])
            paintText(pen, theme.text, text, EDGE - 5, Math.max(7, y(share)));
        for (const curve of this.sizes.curves)
            this.line(pen, steps.map((at, k) => [x(at), y(Math.min(1.04, totalAt(curve, at) / least[k] - 1))]),
                      this.colour(curve.colour), [5, 3]);
        for (const [at, runs] of this.bytesOfRuns.map(one => [one, this.known(one)]))
            for (const {colour, time} of runs)
                paintDisc(pen, this.colour(colour), x(at), y(Math.min(1.04, time / Math.min(...runs.map(run => run.time)) - 1)), 4);
        let free = 0;
        pen.textAlign = "left";
        for (const {milli, partition} of this.vertices.filter(one => one.milli / 1000 <= this.sizes.most)) {
            const at = x(milli / 1000), text = "\u2190 " + partition + ", up to " + Math.floor(milli / 1000) + " bytes";
            paintBox(pen, theme.faint, at, 0, 1, high);
            if (at > free)
                paintText(pen, theme.text, text, at + 2, high + 12);
            free = Math.max(free, at + pen.measureText(text).width + 8);
        }
    }

    /* Fills in the bars: the parts at this size, and what a simulated run loses to contention. */
    fillBars(bytes) {
        const rows = this.sizes.curves.map(curve => {
            const parts = partsAt(curve, bytes), point = curve.points.find(([at]) => at === bytes);
            return {curve, parts, whole: Math.max(total(parts), point?.[1] ?? 0), point};
        }), most = Math.max(...rows.map(({whole}) => whole));
        $("parts").replaceChildren(...rows.flatMap(({curve, parts, whole, point}) => {
            const bar = document.createElementNS(SVG, "svg");
            bar.setAttribute("class", "bar");
            const all = [...parts.map((part, i) => [part, "var(--" + FILLS[i] + ")", this.sizes.parts[i]]),
                         [whole - total(parts), "url(#waits)", "contention"]];
            let before = 0;
            for (const [part, fill, name] of [...ORDER.map(i => all[i]), all.at(-1)].filter(([time]) => time > 0)) {
                const box = document.createElementNS(SVG, "rect");
                for (const [key, value] of Object.entries({x: 100 * before / most + "%", width: 100 * part / most + "%",
                    height: "100%", fill, "data-tip": name + ": " + spoken(part)}))
                    box.setAttribute(key, value);
                bar.append(box);
                before += part;
            }
            return [element("span", {}, curve.name), element("span", {}, spoken(whole)),
                    element("span", {}, point ? "simulated" : "without contention"), bar];
        }));
    }
}
