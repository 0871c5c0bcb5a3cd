/* A mesh is drawn as one: each channel that was held is a line between neighbours and leads along its message's route,
 * and the matrix has a row for it. */
const {page, runs: [run], views: [{cube}]} = ecube, {from, to, message} = run.holds;
const held = new Map(), wrong = [];
for (const i of run.holds.from.keys())
    if (from[i] >= 0 && to[i] >= 0 && from[i] !== to[i])
        held.set(message[i], (held.get(message[i]) ?? []).concat(from[i] + ">" + to[i]));
held.forEach((channels, one) => {
    const route = run.route(one).slice(1).map((node, i) => run.route(one)[i] + ">" + node);
    if (channels.join() !== route.join())
        wrong.push(one);
});
const lengths = run.channels.map(([i]) => {
    const [a, b] = [from[i], to[i]].map(node => cube.points[node]);
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
});
const kinds = [...new Set(lengths.map(length => Math.round(length)))].length;
return [page.mesh.sides.join("x"), held.size + " routes", wrong.length + " wrong", run.channels.length + " channels",
        "of " + kinds + " lengths"].join(", ");
