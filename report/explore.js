// The explorer of an experiment: controls, a plot by uPlot, and a text with the values at the cursor.
"use strict";

const mostSeries = 40; // largest number of series that are drawn at the same time
const dashes = [[], [6, 3], [2, 2.5], [8, 2.5, 2, 2.5], [12, 3.5], [6, 2, 2, 2, 2, 2]];

class Explorer {
	constructor(article, box, data) {
		this.article = article;
		this.box = box;
		this.data = data;
		this.off = new Set(); // labels of series that are switched off
		this.at = [0, 0]; // series and point of the keyboard's cursor
		this.view = { panel: 0 };
		this.choosePanel(0);
		this.build();
		new ResizeObserver(() => this.resize()).observe(this.box);
		document.addEventListener("theme", () => this.draw());
	}

	// choosePanel resets the view to what a panel of the figure shows.
	choosePanel(i) {
		const p = this.data.panels[i];
		this.view = { panel: i, x: p.of, y: -1, logx: p.x.log, logy: p.y.log, summary: "mean", relative: "", references: true, pick: {} };
		this.off.clear();
		this.window = {};
		this.ranges = { x: [p.x.min, p.x.max], y: [p.y.min, p.y.max] };
	}

	// renew replaces the data by those of the same runs at a later time, perhaps with more runs. The view stays.
	renew(data) {
		const known = this.data, view = this.view;
		this.data = data;
		if (data.runs.length !== known.runs.length || data.panels[0].y.label !== known.panels[0].y.label) {
			if (view.y < 0 && view.x === known.panels[0].of) this.choosePanel(0);
			this.build();
		} else {
			this.draw();
		}
	}

	own() {
		return this.view.y < 0 && this.view.x === this.data.panels[this.view.panel].of && this.view.relative === "";
	}

	build() {
		this.box.replaceChildren();
		const d = this.data, v = this.view, panel = d.panels[v.panel];
		const controls = element("div", { className: "controls" });
		this.box.append(controls);
		if (d.panels.length > 1) {
			this.select(controls, "Panel", d.panels.map((p, i) => [i, (p.title || p.y.label) + (p.title ? "" : " against " + p.x.label)]), v.panel,
				i => { this.choosePanel(Number(i)); this.build(); });
		}
		const columns = d.columns.map((c, i) => [i, c.label]);
		this.select(controls, "x", columns.filter(([i]) => d.columns[i].work || i === panel.of), v.x, i => this.change({ x: Number(i) }));
		this.select(controls, "y", [[-1, panel.y.label + " (first view)"], ...columns.filter(([i]) => !d.columns[i].work && !/^opt(_low)?$/.test(d.columns[i].name) &&
			i !== panel.of)], v.y, i => this.change({ y: Number(i), logy: Number(i) < 0 ? panel.y.log : this.suggestLog(Number(i)) }));
		this.logx = this.check(controls, "log x", v.logx, on => this.change({ logx: on }));
		this.logy = this.check(controls, "log y", v.logy, on => this.change({ logy: on }));
		const lines = panel.lines.filter(l => l.of >= 0), runs = [...new Set(lines.flatMap(l => l.runs))];
		if (lines.some(l => l.runs.length > 1)) {
			this.select(controls, "of several runs", [["mean", "mean and range"], ["median", "median and quartiles"], ["each", "each run"]], v.summary,
				s => this.change({ summary: s }));
		}
		const methods = d.labels.includes("as") ? distinct(d, runs, "as") : lines.map(l => l.label);
		if (methods.length > 1) {
			this.select(controls, "relative to", [["", "nothing"], ...methods.map(m => [m, m])], v.relative, m => this.change({ relative: m }));
		}
		this.check(controls, "bounds and optimum", v.references, on => this.change({ references: on }));
		for (const label of d.labels) {
			const values = distinct(d, runs, label);
			if (values.length < 2 || values.length > 60 || label === "as" && lines.length <= 12 || label === "solver" || d.columns[panel.of].name === label) continue;
			if (label !== "problem" && this.follows(runs, label)) continue;
			if (isNumeric(values) && values.length > 2) this.slider(controls, label, values);
			else this.select(controls, label, [["", "all"], ...values.map(x => [x, x])], v.pick[label] || "", x => this.pick(label, x));
		}
		const buttons = element("span", { className: "actions" });
		for (const [text, act] of [["+", () => this.zoom(.5)], ["−", () => this.zoom(2)], ["Reset", () => this.reset()], ["Save view as SVG", () => this.save()]]) {
			const b = element("button", { type: "button", textContent: text });
			if (text === "+") b.ariaLabel = "Zoom in";
			if (text === "−") b.ariaLabel = "Zoom out";
			b.onclick = act;
			buttons.append(b);
		}
		controls.append(buttons);
		this.plot = element("div", { className: "plot", tabIndex: 0 });
		this.plot.setAttribute("role", "application");
		this.plot.setAttribute("aria-label", "Curves of " + this.article.id + ". Arrow keys left and right move along a curve, up and down change the curve, plus and minus zoom, 0 shows all.");
		this.plot.onkeydown = e => this.key(e);
		this.tip = element("div", { className: "tip", hidden: true });
		this.dot = element("i", { className: "dot", hidden: true });
		this.said = element("p", { className: "said" });
		this.said.setAttribute("aria-live", "polite");
		this.series = element("div", { className: "series" });
		this.series.setAttribute("role", "group");
		this.series.setAttribute("aria-label", "Curves");
		this.box.append(this.plot, this.said, this.series);
		this.draw();
	}

	// follows reports whether another label that has a control determines this label, as C determines lambda.
	follows(runs, label) {
		const d = this.data, before = d.labels.slice(0, d.labels.indexOf(label)).filter(l => l !== "solver");
		return before.some(other => {
			const known = new Map();
			return distinct(d, runs, other).length > 1 && runs.every(i => {
				const k = d.runs[i].labels[other], value = d.runs[i].labels[label];
				if (k === undefined) return value === undefined;
				if (!known.has(k)) known.set(k, value);
				return known.get(k) === value;
			});
		});
	}

	// suggestLog reports whether the values of a quantity span decades.
	suggestLog(column) {
		const all = this.data.runs.flatMap(r => r.values[column] || []).filter(v => v > 0);
		return all.length > 0 && /gap|excess/.test(this.data.columns[column].name);
	}

	select(into, name, options, value, act) {
		const s = element("select", {});
		for (const [v, text] of options) s.append(element("option", { value: v, textContent: text }));
		s.value = String(value);
		s.onchange = () => act(s.value);
		const l = element("label", { textContent: name });
		l.append(s);
		into.append(l);
		return s;
	}

	check(into, name, on, act) {
		const c = element("input", { type: "checkbox", checked: on });
		c.onchange = () => act(c.checked);
		const l = element("label", {});
		l.append(c, name);
		into.append(l);
		return c;
	}

	// slider adds a slider over the values of a label. At its left end, all values are shown.
	slider(into, label, values) {
		const s = element("input", { type: "range", min: 0, max: values.length, step: 1 });
		s.value = String(1 + values.indexOf(this.view.pick[label]));
		const out = element("output", {});
		const show = () => {
			out.textContent = s.value === "0" ? "all" : values[s.value - 1];
			s.setAttribute("aria-valuetext", label + " " + out.textContent);
		};
		show();
		s.oninput = () => { show(); this.pick(label, s.value === "0" ? "" : values[s.value - 1]); };
		const l = element("label", { textContent: label });
		l.append(s, out);
		into.append(l);
	}

	pick(label, value) {
		const pick = { ...this.view.pick };
		if (value === "") delete pick[label];
		else pick[label] = value;
		this.change({ pick });
	}

	change(what) {
		Object.assign(this.view, what);
		const p = this.data.panels[this.view.panel], own = this.own();
		this.ranges = own ? { x: [p.x.min, p.x.max], y: [p.y.min, p.y.max] } : { x: [null, null], y: [null, null] };
		this.window = {};
		this.logx.checked = this.view.logx;
		this.logy.checked = this.view.logy;
		this.draw();
	}

	axisLabel(axis) {
		const d = this.data, v = this.view, p = d.panels[v.panel];
		if (axis === "x") return v.x === p.of ? p.x.label : d.columns[v.x].label;
		const label = v.y < 0 ? p.y.label : d.columns[v.y].label;
		return v.relative === "" ? label : label + ", relative to " + v.relative;
	}

	draw() {
		if (this.u) this.u.destroy();
		const all = seriesOf(this.data, this.view), left = Math.max(0, all.length - mostSeries);
		const list = [...all.slice(0, mostSeries), ...(this.view.references ? referencesOf(this.data, this.view) : [])];
		const note = left ? `${mostSeries} of ${all.length} curves are drawn; the controls choose others. ` : "";
		this.said.textContent = list.length ? note : "No run has such values" + (this.view.logx || this.view.logy ? " above 0, which a log axis needs." : ".");
		const tables = [], options = [{}], bands = [];
		this.drawn = [];
		for (const s of list) {
			const colour = s.bound ? cssColour("--faint") : this.colour(s.hue), dash = s.bound ? (s.optimum ? [2, 3] : [4, 3]) : dashes[s.dash % dashes.length];
			const show = !this.off.has(s.label);
			tables.push(s.low ? [s.x, s.y, s.low, s.high] : [s.x, s.y]);
			this.drawn.push({ s, colour, dash, at: options.length });
			options.push({ label: s.label, stroke: s.hollow ? "transparent" : colour, width: s.bound ? 1.4 : 2.2, dash, spanGaps: true, show,
				points: { show: Boolean(s.points) || s.x.length === 1, size: 7, stroke: colour, fill: s.hollow ? cssColour("--paper") : colour } });
			if (s.low) {
				const edge = { show, stroke: "transparent", spanGaps: true, points: { show: false } };
				options.push(edge, { ...edge });
				bands.push({ series: [options.length - 1, options.length - 2], fill: colour + "30" });
			}
		}
		this.plot.replaceChildren();
		this.tip.hidden = this.dot.hidden = true;
		this.legend();
		if (list.length === 0) {
			this.u = null;
			return;
		}
		const drawn = this.drawn; // uPlot may draw after the next call of draw
		const grid = { stroke: cssColour("--line"), width: 1 }, font = "12px " + getComputedStyle(document.body).fontFamily;
		const strong = (u, splits) => splits.map(v => isStrong(v, splits) ? v : null);
		const axis = (scale, label, size, log) => ({ scale, label, stroke: cssColour("--soft"), grid: log ? { ...grid, filter: strong } : grid, ticks: grid, font, labelFont: font, size, labelSize: 20,
			...(log ? { splits: (u, i, min, max) => logSplits(min, max), filter: strong } : {}), values: (u, splits) => splits.map(v => v === null ? null : format(v)) });
		const scale = (log, limits, of) => ({ time: false, distr: log ? 3 : 1, range: (u, min, max) => this.range(log, limits, of, min, max) });
		this.u = new uPlot({
			width: this.width(), height: this.height(), legend: { show: false }, series: options, bands,
			scales: { x: scale(this.view.logx, this.ranges.x, "x"), y: scale(this.view.logy, this.ranges.y, "y") },
			axes: [axis("x", this.axisLabel("x"), 34, this.view.logx), axis("y", this.axisLabel("y"), 62, this.view.logy)],
			cursor: { drag: { x: true, y: true, uni: 30, setScale: false }, points: { show: false }, bind: { dblclick: () => () => this.reset() } },
			hooks: { draw: [u => drawMarkers(u, drawn, cssColour("--paper"))], setCursor: [u => this.hover(u)], setSelect: [u => this.enclose(u)] },
		}, uPlot.join(tables), this.plot);
		this.plot.append(this.tip, this.dot);
	}

	// range returns the range of an axis: the one into which the reader has zoomed, else that of the figure if the axes are
	// those of the figure, else that of the data.
	range(log, limits, of, min, max) {
		if (this.window[of]) return this.window[of];
		if (min === null || max === null || !(min <= max)) return log ? [.1, 1] : [0, 1];
		let [low, high] = log ? [min / 1.15, max * 1.15] : uPlot.rangeNum(min, max, of === "x" ? 0.001 : .08, false);
		if (log && high / low < 2) [low, high] = [low / 1.5, high * 1.5];
		if (!log && of === "x") [low, high] = min === max ? [min - .5, max + .5] : [min, max];
		return [limits[0] ?? low, limits[1] ?? high];
	}

	width() {
		return Math.max(260, Math.floor(this.box.clientWidth));
	}

	height() {
		return Math.round(Math.min(460, Math.max(260, this.width() * .55)));
	}

	resize() {
		if (this.u && this.box.clientWidth > 0 && this.u.width !== this.width()) this.u.setSize({ width: this.width(), height: this.height() });
	}

	colour(hue) {
		const all = isDark() ? palette.dark : palette.light;
		return all[hue % all.length];
	}

	legend() {
		this.series.replaceChildren();
		const labels = new Set();
		for (const { s, colour, dash } of this.drawn) {
			if (labels.has(s.label)) continue;
			labels.add(s.label);
			const box = element("input", { type: "checkbox", checked: !this.off.has(s.label) });
			box.onchange = () => this.toggle(s.label, box.checked);
			const l = element("label", {});
			const { shape, open } = s.points ? { shape: 0, open: s.hollow } : markerOf(s.hue, s.dash), strokes = shape === 4 || shape === 7;
			l.innerHTML = `<svg width="26" height="12" aria-hidden="true"><path d="M0 6h26" stroke="${colour}" stroke-width="2" stroke-dasharray="${s.hollow ? "0 99" : dash.join(" ")}"/>` +
				(s.bound ? "" : `<path d="${markerPath(shape, 13, 6, 3.6)}" stroke="${colour}" stroke-width="${strokes ? 2 : 1.2}" fill="${open ? "var(--paper)" : colour}"/>`) + "</svg>";
			l.prepend(box);
			l.append(s.label);
			this.series.append(l);
		}
		if (labels.size > 2) {
			for (const [text, on] of [["All", true], ["None", false]]) {
				const b = element("button", { type: "button", textContent: text });
				b.onclick = () => { labels.forEach(x => on ? this.off.delete(x) : this.off.add(x)); this.draw(); };
				this.series.append(b);
			}
		}
	}

	toggle(label, on) {
		if (on) this.off.delete(label);
		else this.off.add(label);
		for (const { s, at } of this.drawn) {
			if (s.label !== label) continue;
			this.u.setSeries(at, { show: on });
			if (s.low) {
				this.u.setSeries(at + 1, { show: on });
				this.u.setSeries(at + 2, { show: on });
			}
		}
	}

	visible() {
		return this.drawn.filter(d => !this.off.has(d.s.label) && d.s.x.length > 0);
	}

	// hover shows the values of the point that is nearest to the pointer.
	hover(u) {
		const { left, top } = u.cursor;
		if (left < 0 || top < 0) {
			this.tip.hidden = this.dot.hidden = true;
			return;
		}
		let best = null;
		for (const d of this.visible()) {
			for (let i = 0; i < d.s.x.length; i++) {
				const dx = u.valToPos(d.s.x[i], "x") - left, dy = u.valToPos(d.s.y[i], "y") - top, far = dx * dx + dy * dy;
				if (!best || far < best.far) best = { d, i, far };
			}
		}
		if (!best || best.far > 60 * 60) this.tip.hidden = this.dot.hidden = true;
		else this.tell(best.d, best.i);
	}

	// tell shows the values of a point and the keys of its runs.
	tell(d, i) {
		const s = d.s, u = this.u, runs = s.points ? s.runs[i] : s.runs;
		const of = runs.map(r => this.data.runs[r]), keys = of.slice(0, 4).map(r => r.key);
		if (of.length > 4) keys.push("and " + (of.length - 4) + " more");
		const lines = [this.axisLabel("x") + ": " + format(s.x[i]), this.axisLabel("y") + ": " + format(s.y[i])];
		if (s.low) lines.push((this.view.summary === "median" ? "quartiles " : "range ") + format(s.low[i]) + " to " + format(s.high[i]) + ", " + of.length + " runs");
		this.tip.replaceChildren(element("b", { textContent: s.label }), ...lines.flatMap(t => [element("br", {}), t]));
		if (keys.length) this.tip.append(element("br", {}), element("span", { className: "keys", textContent: keys.join(" ") }));
		this.tip.hidden = this.dot.hidden = false;
		const x = u.over.offsetLeft + u.valToPos(s.x[i], "x"), y = u.over.offsetTop + u.valToPos(s.y[i], "y");
		const room = this.plot.clientWidth, w = this.tip.offsetWidth, h = this.tip.offsetHeight;
		this.dot.style.left = x + "px";
		this.dot.style.top = y + "px";
		this.tip.style.left = Math.max(0, x + 12 + w > room ? x - 12 - w : x + 12) + "px";
		this.tip.style.top = Math.max(0, y - h - 8 < 0 ? y + 10 : y - h - 8) + "px";
		return [s.label, ...lines, ...(keys.length ? ["run " + keys.join(" ")] : [])].join(", ");
	}

	key(e) {
		if (!this.u || e.ctrlKey || e.metaKey || e.altKey) return;
		const all = this.visible(), moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
		if (e.key === "+" || e.key === "=") this.zoom(.5);
		else if (e.key === "-") this.zoom(2);
		else if (e.key === "0") this.reset();
		else if (e.key === "Escape") this.tip.hidden = this.dot.hidden = true;
		else if (moves[e.key] && all.length > 0) {
			const [ds, di] = moves[e.key], line = (this.at[0] + ds + all.length) % all.length, d = all[line];
			const i = ds ? nearest(d.s.x, all[Math.min(this.at[0], all.length - 1)].s.x[this.at[1]] ?? 0) : this.at[1] + di;
			this.at = [line, Math.min(Math.max(i, 0), d.s.x.length - 1)];
			this.said.textContent = this.tell(d, this.at[1]);
		} else return;
		e.preventDefault();
	}

	// enclose zooms into the rectangle over which the pointer was dragged.
	enclose(u) {
		const { left, top, width, height } = u.select;
		if (width < 4 && height < 4) return;
		if (width >= 4 && width < u.over.clientWidth) this.window.x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
		if (height >= 4 && height < u.over.clientHeight) this.window.y = [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
		u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
		this.look();
	}

	// look applies the current window to the plot.
	look() {
		for (const key of ["x", "y"]) if (this.window[key]) this.u.setScale(key, { min: this.window[key][0], max: this.window[key][1] });
	}

	// zoom changes the ranges of both axes around the current point or, if there is none, around the middle.
	zoom(factor) {
		if (!this.u) return;
		const d = this.visible()[this.at[0]], held = !this.tip.hidden && d ? { x: d.s.x[this.at[1]], y: d.s.y[this.at[1]] } : {};
		for (const key of ["x", "y"]) {
			const log = key === "x" ? this.view.logx : this.view.logy, f = log ? Math.log : v => v, back = log ? Math.exp : v => v;
			const { min, max } = this.u.scales[key], low = f(min), high = f(max), c = held[key] === undefined ? (low + high) / 2 : f(held[key]);
			this.window[key] = [back(c - (c - low) * factor), back(c + (high - c) * factor)];
		}
		this.look();
	}

	reset() {
		this.window = {};
		this.at = [0, 0];
		this.draw();
	}

	save() {
		if (!this.u) return;
		const d = this.data, v = this.view, p = d.panels[v.panel], id = this.article.id;
		const parameters = { experiment: id, panel: p.title, x: d.columns[v.x].name,
			y: v.y < 0 ? [...new Set(p.lines.filter(l => l.of >= 0).map(l => d.columns[l.of].name))] : [d.columns[v.y].name],
			log: { x: v.logx, y: v.logy }, x_range: [this.u.scales.x.min, this.u.scales.x.max], y_range: [this.u.scales.y.min, this.u.scales.y.max],
			summary: v.summary, relative_to: v.relative || null, only: v.pick, hidden: [...this.off],
			runs: [...new Set(this.visible().flatMap(x => x.s.runs.flat()).map(i => d.runs[i].key))], source: this.article.dataset.caption };
		const drawn = this.drawn.map(x => ({ ...x, colour: x.s.bound ? "#808080" : palette.light[x.s.hue % palette.light.length] }));
		const title = this.article.dataset.title + (p.title ? ": " + p.title : "");
		download(id.replaceAll("/", "-") + "-view.svg", svgOf(this.u, drawn, { title, x: this.axisLabel("x"), y: this.axisLabel("y"), parameters,
			text: `${this.axisLabel("y")} against ${this.axisLabel("x")}. ${this.article.dataset.caption}` }));
	}
}

function nearest(list, x) {
	let best = 0;
	list.forEach((v, i) => { if (Math.abs(v - x) < Math.abs(list[best] - x)) best = i; });
	return best;
}

function cssColour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function element(tag, properties) {
	return Object.assign(document.createElement(tag), properties);
}
