return "playing " + ecube.state.playing + ", chosen " + (ecube.state.selection?.message !== undefined);
