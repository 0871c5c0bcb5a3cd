/* Matrix multiplications: at the end each processor has its block of A and has done its arithmetic. On the way of those
 * that only move blocks, each block is in one place: in a memory or under way. Clicks select. */
const {state, runs} = ecube, {of} = ecube.views[0].blocks;
for (const run of runs) {
    const blocks = of(run), end = blocks.heldAt(run.time), done = blocks.doneAt(run.time);
    const wanted = blocks.places.map(place => "A " + Math.floor(place / 4) + "," + place % 4);
    const has = end.every(([, , sums], node) => blocks.name(sums) === wanted[node]);
    let places = 0, instants = 0;
    for (let t = 0; t < run.time; t += run.time / 50, instants++) {
        const names = [blocks.heldAt(t), blocks.loadsAt(t).map(load => load.pieces)].flat(Infinity)
            .map(piece => blocks.name([piece]));
        places += names.length === 48 && new Set(names).size === 48;
    }
    tell(run.label, "A", has, "done", done.every(share => share === 1), "moves only", places === instants);
}
ecube.show(runs[0], null);
ecube.seek(0.3 * state.end);
await drawn();
const view = ecube.views[0].blocks, canvas = byId("blocks0"), [x, y] = view.cornerOf(6);
await click(canvas, x + 5, y + view.h - 15);
tell(JSON.stringify(state.selection), text("selected").match(/Arithmetic .*?;.*?\./)[0]);
const {message, box: [left, top]} = view.tokens.at(-1);
await click(canvas, left + 2, top + 2);
tell(state.selection.message === message, text("selected").match(/Carries .*?\./)[0]);
tell(view.figure.querySelector(".hint").textContent.split(";")[0]);
return lines.join("\n");
