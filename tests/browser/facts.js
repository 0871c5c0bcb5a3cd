/* What the page answers at many instants against the trace itself, of which `csv` is the text. */
const [head, ...rows] = csv.trim().split("\n").map(line => line.split(","));
const whole = time => Math.round(Number(time) * 1e6), differences = [];
const trace = rows.map(row => Object.fromEntries(head.map((name, i) => [name, row[i]])))
    .map(row => ({...row, start: whole(row.start_us), end: whole(row.end_us)}));
const run = ecube.runs[0], a = run.activities, h = run.holds, {timeline} = ecube.views[0];
const kinds = ["startup", , "wait", "transmit", "shuffle", "compute", "barrier"];
const equal = (t, what, page, truth) => {
    const [one, other] = [page, truth].map(list => [...new Set(list)].sort().join(" "));
    if (one !== other)
        differences.push([us(t), what, "page:", one, "trace:", other].join(" "));
};
const isOf = message => row => row.message === String(message) && row.kind !== "channel";
const numbers = list => [...list.keys()], messages = numbers(run.messages.source);
const {source, destination} = run.messages, {state} = ecube;
const pixelOf = colour => parseInt("ff" + colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16);

/* Whether anything is drawn of what a processor does. */
ecube.draw();
const ratio = window.devicePixelRatio, {width, height} = timeline.sheet;
const pixels = timeline.sheet.getContext("2d").getImageData(0, 0, width, height).data;
const isDrawn = (t, node) => {
    const x = Math.floor(timeline.x(t) * ratio), {rowHeight} = timeline;
    for (let y = Math.ceil((node + 0.06) * rowHeight * ratio); y < (node + 0.76) * rowHeight * ratio; y++)
        if (pixels[4 * (y * width + x) + 3] > 0)
            return true;
    return false;
};

for (let k = 0; k <= 60; k++) {
    const t = Math.floor(run.time * k / 60), now = trace.filter(row => row.start <= t && t < row.end);
    const of = kind => now.filter(row => row.kind === kind), nodes = list => list.map(row => row.processor);
    ecube.seek(t);
    ecube.draw();
    const moment = ecube.at(run, t), states = moment.nodeStates();
    equal(t, "does", moment.active.map(i => [kinds[a.kind[i]], a.processor[i], us(a.start[i]), us(a.end[i])].join()),
          now.filter(row => row.kind !== "channel")
              .map(row => [row.kind, row.processor, row.start_us, row.end_us].join()));
    equal(t, "held", moment.held.map(i => [h.from[i], h.to[i], h.message[i]].join()),
          of("channel").map(row => [row.channel_from, row.channel_to, row.message].join()));
    equal(t, "busy", numbers(states).filter(node => states[node].kind !== undefined), nodes(now));
    equal(t, "receives", numbers(states).filter(node => states[node].receives), of("transmit")
        .map(row => row.channel_to || row.destination));
    equal(t, "wait", messages.filter(one => moment.phase(one).kind === 2),
          of("wait").map(row => row.message));
    equal(t, "number waiting", [moment.counts().waitingNow], [new Set(of("wait").map(row => row.message)).size]);
    equal(t, "sets up", messages.filter(one => moment.phase(one).kind === 7),
          of("channel").map(row => row.message).filter(one => !now.some(isOf(one))));
    for (const {wait, holder} of messages.flatMap(one => moment.chain(one)))
        if (a.from[wait] >= 0 && a.to[wait] >= 0 && a.from[wait] !== a.to[wait])
            equal(t, "who has it", [holder], of("channel").filter(row => Number(row.channel_from) === a.from[wait]
                && Number(row.channel_to) === a.to[wait]).map(row => row.message));
    for (const i of moment.waits.filter(i => a.from[i] < 0 && a.to[i] < 0))
        equal(t, "is busy", [[source[a.blocker[i]], destination[a.blocker[i]]].includes(run.endWanted(i))], [true]);
    equal(t, "drawn", k && k < 60 ? nodes(now).filter(node => !isDrawn(t, Number(node))) : [], []);
}

/* However narrow intervals are, the diagram shows where something was done, and every wait. */
const {wait, tint, edges} = state.theme, pixelsOf = i => {
    const [x, y, wide, high] = timeline.box(i).map(length => length * ratio), found = [];
    for (let row = Math.round(y); row < Math.round(y + high); row++)
        for (let column = Math.floor(x); column < x + wide; column++)
            found.push(timeline.pixels[row * timeline.sheet.width + column]);
    return found.filter(pixel => pixel > 0);
};
for (const times of [1, 400]) {
    timeline.view = {from: 0, to: times * run.time};
    timeline.drawSheet();
    for (const lane of run.lanes.values())
        equal(times, "shown", [pixelsOf(lane.findLast(i => a.end[i] > a.start[i])).length > 0], [true]);
    for (const i of run.waits)
        equal(times, "a wait is shown", [pixelsOf(i).some(pixel => [wait, tint, edges[2]].map(pixelOf).includes(pixel))], [true]);
}
tell("differences:", differences.length, ...differences.slice(0, 3));
return lines.join("\n");
