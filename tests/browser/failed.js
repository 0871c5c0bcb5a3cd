/* Of a run that came to no result nothing is said but that. */
tell(text("verdict"));
tell(/came to no result.*There is no trace of it\.$/s.test(byId("cards").lastElementChild.innerText.trim()));
return lines.join("\n");
