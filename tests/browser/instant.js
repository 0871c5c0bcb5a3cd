/* For a picture: what AT stands for, a share of the whole time. */
ecube.seek(ecube.state.end * AT);
await drawn();
return "";
