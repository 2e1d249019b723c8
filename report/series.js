// Makes the series of a plot from runs: one quantity over another, averaged over repetitions, relative to a method.
"use strict";

// seriesOf returns the series of a view: {label, name, hue, dash, points, hollow, x, y, low, high, runs}. x is ascending.
function seriesOf(data, view) {
	const panel = data.panels[view.panel];
	const seen = new Set(), out = [];
	for (const line of panel.lines) {
		if (line.of < 0) continue;
		const of = view.y < 0 ? line.of : view.y;
		const runs = line.runs.filter(i => passes(data.runs[i], view.pick));
		const key = of + ":" + runs.join();
		if (runs.length === 0 || seen.has(key)) continue;
		seen.add(key);
		const base = { label: view.y < 0 ? line.label : line.name || line.label, hue: line.hue, dash: line.dash };
		const once = data.columns[of].once || data.columns[view.x].once;
		out.push(...(once ? pointsOf : coursesOf)(data, view, of, runs, base));
	}
	return view.relative === "" ? out : relativeTo(data, view, out);
}

// passes reports whether a run has the labels that the reader picked.
function passes(run, pick) {
	return Object.entries(pick).every(([label, value]) => run.labels[label] === undefined || run.labels[label] === value);
}

// coursesOf returns the series that show the rows of runs: one series for all runs, or one for each.
function coursesOf(data, view, of, runs, base) {
	const tracks = [];
	for (const i of runs) {
		const run = data.runs[i], track = { run: i, x: [], y: [] };
		for (let k = 0, n = rowsOf(run); k < n; k++) {
			const x = valueAt(run, view.x, k), y = valueAt(run, of, k);
			if (usable(x, view.logx) && usable(y, view.logy)) {
				track.x.push(x);
				track.y.push(y);
			}
		}
		if (track.x.length > 0) tracks.push(track);
	}
	if (tracks.length === 0) return [];
	if (tracks.length === 1 || view.summary === "each") {
		return tracks.map(t => ({ ...base, ...t, runs: [t.run], label: tracks.length === 1 ? base.label :
			base.label + ", " + repetition(data.runs[t.run]) }));
	}
	const from = Math.max(...tracks.map(t => t.x[0])), to = Math.min(...tracks.map(t => t.x[t.x.length - 1]));
	const xs = [...new Set(tracks.flatMap(t => t.x))].filter(x => x >= from && x <= to).sort((a, b) => a - b);
	const s = { ...base, runs: tracks.map(t => t.run), x: [], y: [], low: [], high: [] };
	for (const x of xs) append(s, x, tracks.map(t => between(t, x)), view.summary);
	return [s];
}

function usable(v, log) {
	return v !== null && v !== undefined && Number.isFinite(v) && (!log || v > 0);
}

function repetition(run) {
	const own = Object.entries(run.labels).filter(([label]) => isRepetition(label));
	return own.length ? own.map(([k, v]) => k + " " + v).join(", ") : run.key.slice(0, 6);
}

// between returns y at x, on the straight line between neighbouring rows.
function between(track, x) {
	let low = 0, high = track.x.length - 1;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (track.x[middle] <= x) low = middle; else high = middle;
	}
	if (track.x[high] <= x) return track.y[high];
	if (track.x[high] === track.x[low]) return track.y[low];
	const share = (x - track.x[low]) / (track.x[high] - track.x[low]);
	return track.y[low] + Math.max(0, share) * (track.y[high] - track.y[low]);
}

// append adds the summary of the values at x to a series: their median and quartiles, or their mean and range.
function append(s, x, values, summary) {
	const v = [...values].sort((a, b) => a - b);
	const at = q => {
		const i = q * (v.length - 1), k = Math.floor(i);
		return k + 1 < v.length ? v[k] + (i - k) * (v[k + 1] - v[k]) : v[k];
	};
	s.x.push(x);
	if (summary === "median") {
		s.y.push(at(.5));
		s.low.push(at(.25));
		s.high.push(at(.75));
	} else {
		s.y.push(v.reduce((a, b) => a + b) / v.length);
		s.low.push(v[0]);
		s.high.push(v[v.length - 1]);
	}
}

// pointsOf returns the series in which each run is one point. Runs that their budget stopped are in separate series.
function pointsOf(data, view, of, runs, base) {
	const ended = new Map(), stopped = new Map();
	for (const i of runs) {
		const run = data.runs[i], last = rowsOf(run) - 1;
		const x = lastOf(run, view.x, last), y = lastOf(run, of, last);
		if (!usable(x, view.logx) || !usable(y, view.logy)) continue;
		const into = run.status === "budget" ? stopped : ended;
		if (!into.has(x)) into.set(x, []);
		into.get(x).push({ y, run: i });
	}
	const out = [];
	for (const [points, hollow] of [[ended, false], [stopped, true]]) {
		if (points.size === 0) continue;
		const s = { ...base, points: true, hollow, x: [], y: [], low: [], high: [], runs: [] };
		if (hollow) s.label += ", stopped by its budget";
		for (const x of [...points.keys()].sort((a, b) => a - b)) {
			const here = points.get(x);
			append(s, x, here.map(p => p.y), view.summary);
			s.runs.push(here.map(p => p.run));
		}
		if (s.low.every((low, i) => low === s.high[i])) s.low = s.high = undefined;
		out.push(s);
	}
	return out;
}

// lastOf returns the last value in a column.
function lastOf(run, column, last) {
	for (let k = last; k >= 0; k--) {
		const v = valueAt(run, column, k);
		if (v !== null && v !== undefined) return v;
	}
	return null;
}

// relativeTo divides each series by the series of the chosen method with the same other labels, where both have values.
function relativeTo(data, view, all) {
	const own = data.labels.filter(l => l !== "as" && l !== "solver" && !isRepetition(l));
	const first = s => data.runs[[s.runs[0]].flat()[0]];
	const reference = s => all.filter(r => !r.hollow && chosen(data, view, r, first)).map(r => ({ r, fit: own.filter(l =>
		first(r).labels[l] === first(s).labels[l]).length })).sort((a, b) => b.fit - a.fit)[0];
	const out = [];
	for (const s of all) {
		const found = reference(s);
		if (!found) continue;
		const r = found.r, t = { ...s, x: [], y: [], low: undefined, high: undefined };
		if (s.points) t.runs = [];
		s.x.forEach((x, i) => {
			if (s.points ? !r.x.includes(x) : x < r.x[0] || x > r.x[r.x.length - 1]) return;
			const y = s.y[i] / between(r, x);
			if (!usable(y, view.logy)) return;
			t.x.push(x);
			t.y.push(y);
			if (s.points) t.runs.push(s.runs[i]);
		});
		if (t.x.length > 0) out.push(t);
	}
	return out;
}

// chosen reports whether a series belongs to the method, or is the line, by which the others are divided.
function chosen(data, view, s, first) {
	return data.labels.includes("as") ? first(s).labels.as === view.relative : s.label === view.relative;
}

// referencesOf returns lines for comparison: the bounds of a theorem, if the axes are those of the panel, and the certified
// optimum of each problem, if an objective is shown.
function referencesOf(data, view) {
	const panel = data.panels[view.panel], out = [];
	if (view.relative !== "") return out;
	if (view.y < 0 && view.x === panel.of) {
		for (const line of panel.lines) {
			if (line.of >= 0) continue;
			const keep = line.x.map((x, i) => usable(x, view.logx) && usable(line.y[i], view.logy));
			out.push({ label: line.label, bound: true, x: line.x.filter((_, i) => keep[i]), y: line.y.filter((_, i) => keep[i]), runs: [] });
		}
	}
	const shown = new Set(panel.lines.filter(l => l.of >= 0).map(l => data.columns[view.y < 0 ? l.of : view.y].name));
	const opt = data.columns.findIndex(c => c.name === "opt"), low = data.columns.findIndex(c => c.name === "opt_low");
	if (opt < 0 || data.columns[view.x].once || !(shown.has("primal") || shown.has("dual"))) return out;
	const optima = new Map();
	for (const i of panel.lines.flatMap(l => l.of < 0 ? [] : l.runs).filter(i => passes(data.runs[i], view.pick))) {
		const run = data.runs[i], last = rowsOf(run) - 1, x = lastOf(run, view.x, last), y = lastOf(run, opt, last);
		if (!usable(y, view.logy) || !usable(x, view.logx)) continue;
		const o = optima.get(y) || { x, low: low < 0 ? null : lastOf(run, low, last) };
		optima.set(y, { ...o, x: Math.max(o.x, x) });
	}
	if (optima.size > 12) return out;
	for (const [y, o] of optima) {
		const least = view.logx ? Math.min(...panel.lines.flatMap(l => (l.runs || []).map(i => valueAt(data.runs[i], view.x, 1) || Infinity))) : 0;
		if (!(least < o.x)) continue;
		out.push({ label: o.low === null ? "best known " + format(y) : "optimum in [" + format(o.low) + ", " + format(y) + "]",
			bound: true, optimum: true, x: [least, o.x], y: [y, y], runs: [] });
	}
	return out;
}
