// The curves of the runs, as data for the explorer of reports (report/explore.js), and the table of the runs.
"use strict";

const mostRows = 400; // largest number of rows that are drawn of a run: if it has more, every other row is left out

class Curves {
  // labels maps columns to their readable names.
  constructor(article, table, labels) {
    this.article = article;
    this.table = table;
    this.labels = labels;
    this.clear();
  }

  clear() {
    this.runs = [];
    this.rows = {};
    this.names = []; // the columns of the drawing
    this.explorer = null;
    this.article.querySelector(".explorer").replaceChildren();
    this.table.replaceChildren();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  // add adds the steps of the runs.
  add(steps) {
    for (const s of steps) {
      if (s.kind === "note") continue;
      const run = this.run(s);
      if (s.kind === "ended") {
        run.status = s.status;
        run.why = s.why;
        continue;
      }
      run.last = s.values;
      (this.rows[run.name] ||= []).push(s.values); // all rows, for the file
      if (run.rows.length >= mostRows) run.rows = run.rows.filter((_, i) => i % 2 === 0);
      run.rows.push(s.values);
    }
    this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  // stopped marks the runs that have not ended.
  stopped() {
    for (const r of this.runs) if (r.status === "running") r.status = "interrupted";
    this.draw();
  }

  run(step) {
    let run = this.runs.find(r => r.name === step.run);
    if (!run) {
      run = {name: step.run, labels: step.labels, rows: [], status: "running", why: "", last: null};
      this.runs.push(run);
    }
    return run;
  }

  draw() {
    this.list();
    const data = this.data();
    if (!data) return;
    if (this.explorer) {
      this.explorer.renew(data);
      return;
    }
    this.explorer = new Explorer(this.article, this.article.querySelector(".explorer"), data);
  }

  // data returns the present curves, or null if there is nothing to draw yet.
  data() {
    const work = ["passes", "epoch", "max_calls", "exp_calls", "sum_calls", "seconds"];
    const known = new Set(this.runs.flatMap(r => r.rows.flatMap(v => Object.keys(v))));
    const certified = this.runs.some(r => r.rows.some(v => v.gap > 0));
    const y = certified ? "gap" : "primal", rest = [...known].filter(name => name.startsWith("validation_")).sort();
    for (const name of [...work, "gap", "primal", "dual", ...rest]) { // a column keeps its place when others appear
      if (known.has(name) && !this.names.includes(name)) this.names.push(name);
    }
    const names = this.names;
    if (!this.runs.some(r => r.rows.some(v => v[y] !== undefined))) return null;
    const hues = new Map(), dashes = new Map(), lines = [];
    this.runs.forEach((r, i) => {
      const method = r.labels.as;
      if (!hues.has(method)) hues.set(method, hues.size);
      dashes.set(method, (dashes.get(method) ?? -1) + 1);
      if (r.rows.length) {
        const label = this.nameOf(r);
        const hue = hues.get(method), dash = dashes.get(method);
        lines.push({label, name: label, hue, dash, of: names.indexOf(y), runs: [i]});
      }
    });
    return {
      columns: names.map(name => ({name, label: this.labels[name] || name, work: work.includes(name)})),
      labels: ["as"],
      runs: this.runs.map(r => ({key: r.name, labels: {as: this.nameOf(r)},
        values: names.map(n => r.rows.map(v => v[n] ?? null))})),
      panels: [{title: "", x: {label: this.labels.passes, log: false}, y: {label: this.labels[y] || y, log: certified},
        of: names.indexOf("passes"), lines}],
    };
  }

  // nameOf returns the solver of a run, with the labels in which the runs differ.
  nameOf(run) {
    const implied = ["as", "solver", "lambda", "status", "chosen"], own = Object.keys(run.labels).filter(label =>
      !implied.includes(label) && this.runs.some(r => r.labels[label] !== run.labels[label]));
    return [run.labels.as, ...own.map(label => label + "=" + run.labels[label])].join(" ");
  }

  // list writes the table of the runs.
  list() {
    this.table.replaceChildren();
    if (!this.runs.length) return;
    const line = (tag, cells) => {
      const row = document.createElement("tr");
      for (const text of cells) {
        const cell = document.createElement(tag);
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    };
    const head = document.createElement("thead"), body = document.createElement("tbody");
    head.append(line("th", ["run", "status", "gap", "passes", "seconds"]));
    for (const r of this.runs) {
      const v = r.last || {}, shown = (x, digits) => x === undefined ? "" : format(Number(x.toPrecision(digits)));
      const row = line("td", [this.nameOf(r), r.status, shown(v.gap, 2), shown(v.passes, 4), shown(v.seconds, 2)]);
      row.title = r.why;
      if (r.status === "unsupported" || r.status === "failed") row.cells[1].textContent += ": " + r.why;
      body.append(row);
    }
    this.table.append(head, body);
  }
}
