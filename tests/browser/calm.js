/* The story of two runs in which nothing waits: what is sent, worked by hand; who is ahead at half of the time, counted
 * again; and the critical path's steps add up. */
const {runs, page, state: {story}, views: [{arrivals}]} = ecube, [slow, fast] = page.pair.map(number => runs[number]);
tell(story.length, story[0].text);
const there = run => arrivals.of(run).filter(({messages}) => run.delivered[messages.at(-1)] <= story[1].t).length;
tell("race", [slow, fast].every(run => story[1].text.includes(run.label + " has delivered " + there(run) + " of "
    + arrivals.of(run).length + " blocks")), story[1].t === Math.round(fast.time / 2));
tell("path", story[2].text.startsWith(slow.path.length + " steps"), story[2].path, "end", plain(story[3].text) === text("words"));
return lines.join("\n");
