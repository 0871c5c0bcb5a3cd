/* For README's picture: the second step of the story, at which most messages wait, and the longest chain. */
ecube.state.reduced = true;
ecube.turnTo(1);
await drawn();
return "";
