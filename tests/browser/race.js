/* The race: a line ends where the last block of its run arrives, and is at half its height when half of them have. */
const {runs, page} = ecube, [slow] = page.pair.map(number => runs[number]), end = Number(document.querySelector(".race").dataset.end);
const points = line => line.getAttribute("points").trim().split(" ").map(point => point.split(",").map(Number));
const names = [...document.querySelectorAll(".race .name")].map(one => one.textContent);
const dates = run => [...run.delivered].filter((_, message) => !run.messages.handshake[message]).sort((one, other) => one - other);
const lines_ = [...document.querySelectorAll(".race polyline")], matched = runs.filter(run => run.size === slow.size).map(run => {
    const all = dates(run), half = all[Math.ceil(all.length / 2) - 1];
    return lines_.some(line => {
        const list = points(line);
        return Math.abs(list.at(-1)[0] - 1000 * all.at(-1) / end) < 0.1 && Math.abs(list[128][0] - 1000 * half / end) < 0.1;
    });
});
tell("lines", lines_.length === matched.length, matched.every(one => one), "names", new Set(names).size === names.length);
const boxes = [...document.querySelectorAll(".race .name")].map(one => one.getBoundingClientRect());
tell("apart", boxes.every((one, i) => boxes.slice(i + 1).every(other => one.right < other.left || other.right < one.left
    || one.bottom <= other.top + 4 || other.bottom <= one.top + 4)));
ecube.seek(ecube.state.end / 2);
ecube.draw();
tell("clock", Math.abs(parseFloat(document.querySelector(".race .clock").getAttribute("x")) - 100 * ecube.state.t / end) < 0.01);
return lines.join("\n");
