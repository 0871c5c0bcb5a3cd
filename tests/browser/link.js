/* Where a link led. */
const {t, shown, selection} = ecube.state;
return [us(t), shown.map(run => run.number), JSON.stringify(selection), text("time")].join(" ");
