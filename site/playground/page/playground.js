// The page: connects the form, the editor, the worker and the curves.
"use strict";

(() => {
  const box = document.getElementById("playground"), field = name => box.querySelector(`[name="${name}"]`);
  const state = box.querySelector(".state"), go = box.querySelector(".go"), halt = box.querySelector(".halt");
  const curves = new Curves(box.querySelector("article"), box.querySelector(".runs"), playgroundLabels);
  let problem = playgroundProblems[0], dataset = problem.dataset, valid = false, stopped = false, seen = "";

  function say(text, bad) {
    state.textContent = text;
    state.classList.toggle("bad", Boolean(bad));
  }

  if (location.protocol === "file:") {
    box.classList.add("closed");
    say("A browser starts no solvers in a page that was opened from a folder. Serve the folder of the site, for " +
      "example with “python3 -m http.server”, and open the address that it prints.", true);
    return;
  }
  const solvers = new Solvers({
    ready: () => { if (state.textContent.startsWith("Loading")) say("Ready."); },
    failed: error => say(error, true),
  });
  const editor = new Editor(box.querySelector(".editor"), text => solvers.check(text),
    (text, at) => solvers.complete(text, at), checked);

  // choice returns what the form says.
  function choice() {
    const value = name => field(name).value === "" ? 0 : Number(field(name).value), data = {...dataset};
    if (value("n")) data.train = value("n");
    const chosen = [...box.querySelectorAll(".solvers input:checked")].map(c => JSON.parse(c.value));
    return {id: problem.id, dataset: data, model: problem.model, C: problem.C ? value("C") : 0, gap: value("gap"),
      passes: value("passes"), solvers: chosen};
  }

  // choose shows a problem in the form.
  function choose(p) {
    problem = p;
    dataset = p.dataset;
    field("problem").value = p.id;
    field("n").value = p.dataset.train ?? "";
    field("C").value = p.C ?? "";
    field("n").disabled = p.dataset.train === undefined;
    field("C").disabled = !p.C;
    field("gap").value = number(p.gap);
    field("passes").value = p.passes;
    list(p.solvers, p.chosen);
  }

  // list shows the solvers of a problem, and marks those with the names in chosen.
  function list(all, chosen) {
    const group = box.querySelector(".solvers");
    group.querySelectorAll("label").forEach(l => l.remove());
    for (const s of all) {
      const label = document.createElement("label"), check = document.createElement("input");
      Object.assign(check, {type: "checkbox", value: JSON.stringify(s), checked: chosen.includes(s.name)});
      label.title = playgroundSolvers[s.name] || "";
      label.append(check, s.name);
      group.append(label);
    }
  }

  // changed writes the form's choices to the text, but keeps the sections that the reader has written.
  function changed(...keys) {
    const sections = sectionsOf(choice());
    let text = editor.text;
    for (const key of keys) text = withSection(text, key, sections[key]);
    editor.replace(text);
  }

  // checked is called with the report on the text. It shows the values of a correct spec in the form.
  function checked(report) {
    valid = report.faults.length === 0;
    go.disabled = !valid;
    if (!valid || editor.text === seen) return;
    seen = editor.text;
    const s = report.spec, same = playgroundProblems.find(p => p.model.name === s.model?.name &&
      p.model.loss === s.model?.loss && p.dataset.name === s.dataset?.name) ||
      playgroundProblems.find(p => p.model.name === s.model?.name && p.model.loss === s.model?.loss);
    if (!same) return;
    problem = same;
    dataset = {...s.dataset};
    field("problem").value = same.dataset.name === dataset.name ? same.id : "";
    const given = s.solvers.map(x => x.name);
    list(same.solvers.map(x => s.solvers.find(y => y.name === x.name) || x), given);
    const set = (name, value) => {
      field(name).disabled = value === undefined || typeof value === "object";
      field(name).value = field(name).disabled ? "" : number(value);
    };
    set("n", s.dataset.train ?? (s.dataset.format ? "" : same.dataset.train));
    set("C", s.regularisation?.C);
    field("gap").value = number(s.stop?.gap ?? "");
    field("passes").value = s.stop?.passes ?? "";
  }

  // run runs the spec. known: it is a text of this page, which a test checks, so its check waits for the first rows.
  async function run(known) {
    if (!(known || valid) || solvers.running) return;
    curves.clear();
    const begun = performance.now();
    let runs = 0, notes = [], unchecked = known;
    stopped = false;
    go.hidden = true;
    halt.hidden = false;
    say("Reading the data …");
    const error = await solvers.run(editor.text, known, steps => {
      if (unchecked) editor.check();
      unchecked = false;
      curves.add(steps);
      const last = steps[steps.length - 1];
      notes.push(...steps.filter(s => s.kind === "note").map(s => s.why));
      runs = last.done;
      say(`${last.done} of ${last.total} runs have ended` +
        (last.kind === "row" ? `; ${last.run} at ${format(Number(last.values.passes.toPrecision(3)))} passes` : ""));
    });
    go.hidden = false;
    halt.hidden = true;
    curves.stopped();
    if (unchecked) editor.check();
    if (error) say(error, true);
    else say([`${runs} ${runs === 1 ? "run" : "runs"} in ${((performance.now() - begun) / 1000).toFixed(1)} s` +
      (stopped ? ", then stopped." : "."), ...notes].join(" "));
  }

  // save lets the reader save a text as a file.
  function save(name, text) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  async function link() {
    history.replaceState(null, "", "#spec=" + await encodeText(editor.text));
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is in the clipboard. It holds the spec, and no data.");
    } catch (e) { // the browser denies the clipboard
      say("The link is in the address bar. It holds the spec, and no data.");
    }
  }

  // use makes a file of the reader the data of the spec.
  async function use(file) {
    const bytes = new Uint8Array(await file.arrayBuffer()), name = file.name.replace(/[^\w.-]/g, "_");
    const head = new TextDecoder().decode(bytes.subarray(0, 4096)), found = datasetOf(name, head);
    solvers.addFile(name, bytes);
    let text = withSection(editor.text, "dataset", "dataset: " + flow(found.dataset));
    const loss = problem.model.loss || "hinge", fits = playgroundProblems.filter(p => p.model.name === found.model);
    const fit = fits.find(p => p.model.loss === loss) || fits[0];
    if (problem.model.name !== found.model && !(found.model === "multiclass" && problem.model.name === "binary")) {
      choose(fit);
      dataset = found.dataset;
      field("n").value = "";
      text = newText({...choice(), id: "own", dataset: found.dataset});
    }
    editor.replace(text);
    say(`${file.name} is the data of the spec, as ${found.dataset.format}. It stays in this page.`);
  }

  for (const p of playgroundProblems) field("problem").append(new Option(p.name, p.id));
  field("problem").append(Object.assign(new Option("a spec of your own", ""), {hidden: true}));
  field("problem").addEventListener("change", () => {
    choose(playgroundProblems.find(p => p.id === field("problem").value));
    editor.replace(newText(choice()));
  });
  field("n").addEventListener("change", () => changed("dataset"));
  field("C").addEventListener("change", () => changed("regularisation"));
  for (const name of ["gap", "passes"]) field(name).addEventListener("change", () => changed("stop"));
  box.querySelector(".solvers").addEventListener("change", () => changed("solvers"));
  box.querySelector("form").addEventListener("submit", event => event.preventDefault());
  go.addEventListener("click", () => run(false));
  halt.addEventListener("click", () => {
    stopped = true;
    say("Stopping …");
    solvers.stop();
  });
  editor.area.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(false);
  });
  box.querySelector(".save").addEventListener("click", () => save(fileName(editor.text), editor.text));
  box.querySelector(".link").addEventListener("click", link);
  box.querySelector(".rows").addEventListener("click", () => save("rows.json", JSON.stringify(curves.rows) + "\n"));
  const input = field("file"), zone = box.querySelector(".drop");
  input.addEventListener("change", () => { if (input.files.length) use(input.files[0]); });
  for (const type of ["dragover", "dragleave", "drop"]) {
    box.addEventListener(type, event => {
      event.preventDefault();
      zone.classList.toggle("over", type === "dragover");
      if (type === "drop" && event.dataTransfer.files.length) use(event.dataTransfer.files[0]);
    });
  }

  // begin shows the spec of the link, or the first problem, which it runs.
  async function begin() {
    choose(problem);
    const code = location.hash.match(/^#spec=(.*)/);
    let text = newText(choice());
    if (code) {
      try {
        text = await decodeText(code[1]);
      } catch (e) {
        say("The link is damaged, so this is the first problem.", true);
      }
    }
    editor.begin(text);
    if (code) editor.check();
    else run(true);
  }
  window.addEventListener("hashchange", () => { if (location.hash.startsWith("#spec=")) begin(); });
  begin();
})();
