/* How long frames take: the drawing of 200 instants, with what is in the window already drawn; the diagram's sheets
 * afresh, as in zooming; and the time between frames while the page plays. In ms: least, median, 95 of 100. */
const {state} = ecube, middle = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
const show = times => {
    times.sort((a, b) => a - b);
    return [0, 0.5, 0.95].map(share => middle(times, share).toFixed(1)).join(" ");
};
const timed = (n, prepare) => Array.from({length: n}, (_, i) => {
    prepare(i);
    const start = performance.now();
    ecube.draw();
    return performance.now() - start;
});
ecube.draw();
const drawing = show(timed(200, i => { state.t = state.end * i / 200; }));
const sheets = show(timed(20, i => { state.view = {from: 0, to: state.end * (1 - i / 40)}; }));
state.view = {from: 0, to: state.end};
ecube.seek(0);
ecube.play(true);
const between = [];
await new Promise(done => {
    let last = performance.now();
    const tick = now => {
        between.push(now - last);
        last = now;
        if (between.length < 240)
            requestAnimationFrame(tick);
        else
            done();
    };
    requestAnimationFrame(tick);
});
ecube.play(false);
return [drawing, sheets, show(between.slice(2))].join(",");
