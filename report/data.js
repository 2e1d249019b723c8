// The curves of an experiment: unpacked when they are first asked for.
"use strict";

// unpack reads the JSON of an experiment's curves, which is gzip in base64.
async function unpack(article) {
	const text = article.querySelector("script.curves").textContent;
	const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(stream).json();
}

// valueAt is value i of a column of a run: one value stands for all.
function valueAt(run, column, i) {
	const v = run.values[column];
	if (!v || v.length === 0) return null;
	return v.length === 1 ? v[0] : v[i];
}

function rowsOf(run) {
	return Math.max(0, ...run.values.map(v => v ? v.length : 0));
}

// format writes a number for a reader.
function format(x) {
	if (x === null || x === undefined || Number.isNaN(x)) return "none";
	if (x === 0) return "0";
	const a = Math.abs(x);
	if (a >= 1e6 || a < 1e-3) return x.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e").replace("-", "−");
	return String(Number(x.toPrecision(6))).replace("-", "−");
}

// distinct are the values of a label among runs, numbers in their order.
function distinct(data, runs, label) {
	const all = [...new Set(runs.map(i => data.runs[i].labels[label]).filter(v => v !== undefined))];
	if (all.every(v => v !== "" && Number.isFinite(Number(v)))) all.sort((a, b) => a - b);
	return all;
}

function isNumeric(values) {
	return values.every(v => v !== "" && Number.isFinite(Number(v)));
}

// isRepetition says whether a label only counts repetitions: seeds and folds.
function isRepetition(label) {
	return /(seed|fold)$/.test(label);
}
