/* Where circuits are kept: 9 processors reconfigure 8 times for 1000 us in Direct, and once with one offset. */
const PS = 1e6, sumOf = run => {
    let sum = 0;
    for (const lane of run.lanes.values())
        for (const i of lane)
            run.eachPiece(i, (_, kind, node, from, to) => { sum += kind === 10 ? to - from : 0; });
    return sum / PS;
};
tell(ecube.runs.map(run => run.label + ": " + sumOf(run)).join("; "));
tell("key", [...document.querySelectorAll("#stage .key li")].some(one => one.textContent === "reconfiguration"));
return lines.join("\n");
