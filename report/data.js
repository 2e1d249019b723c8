// Reads the curves of an experiment. They are unpacked when they are needed for the first time.
"use strict";

// packedOf returns the script that contains the curves or the contents of an article.
function packedOf(kind, article) {
	return article.querySelector("script." + kind) || document.querySelector(`script.${kind}[data-of="${CSS.escape(article.id)}"]`);
}

// unpackText returns the text of a script, which is compressed by gzip, in base64.
async function unpackText(script) {
	const bytes = Uint8Array.from(atob(script.textContent), c => c.charCodeAt(0));
	return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

// unpack returns the data of an experiment's curves.
async function unpack(article) {
	return JSON.parse(await unpackText(packedOf("curves", article)));
}

// valueAt returns value i in a column of a run. A column with a single value has the same value in all rows.
function valueAt(run, column, i) {
	const v = run.values[column];
	if (!v || v.length === 0) return null;
	return v.length === 1 ? v[0] : v[i];
}

function rowsOf(run) {
	return Math.max(0, ...run.values.map(v => v ? v.length : 0));
}

// format formats a number for the reader.
function format(x) {
	if (x === null || x === undefined || Number.isNaN(x)) return "none";
	if (x === 0) return "0";
	const a = Math.abs(x);
	if (a >= 1e6 || a < 1e-3) return x.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e").replace("-", "−");
	return String(Number(x.toPrecision(6))).replace("-", "−");
}

// distinct returns the values of a label among runs. Numbers are sorted.
function distinct(data, runs, label) {
	const all = [...new Set(runs.map(i => data.runs[i].labels[label]).filter(v => v !== undefined))];
	if (all.every(v => v !== "" && Number.isFinite(Number(v)))) all.sort((a, b) => a - b);
	return all;
}

function isNumeric(values) {
	return values.every(v => v !== "" && Number.isFinite(Number(v)));
}

// isRepetition reports whether a label only counts repetitions, as seeds and folds do.
function isRepetition(label) {
	return /(seed|fold)$/.test(label);
}
