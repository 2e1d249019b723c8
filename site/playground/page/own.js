// The user's own files: guesses the format of a file, as the dataset section of a spec.
"use strict";

// datasetOf returns the dataset section for a file, from its name and the text at its start, and the model for it.
function datasetOf(name, head) {
  const lines = head.split(/\r?\n/).slice(0, -1).filter(line => line.trim() && !line.startsWith("#"));
  const first = lines[0] || head, cells = first.trim().split(/\s+/);
  if (/\.conllu$/i.test(name) || cells.length === 10 && /^\d+$/.test(cells[0])) {
    return {dataset: {format: "conllu", path: name}, model: "deptree"};
  }
  if (cells.slice(1).length && cells.slice(1).every(c => /^(#.*|qid:\d+|\d+:\S+)$/.test(c))) {
    const zero = lines.some(line => /\s0:/.test(line)), out = {format: "libsvm", path: name};
    if (zero) out.zero_based = true;
    return {dataset: out, model: "multiclass"};
  }
  if (/\.(csv|tsv)$/i.test(name)) {
    const label = first.split(/[,;\t]/).pop().replace(/"/g, "");
    return {dataset: {format: "csv", path: name, label}, model: "multiclass"};
  }
  if (/^\s*\(/.test(first)) return {dataset: {format: "ptb", path: name}, model: "cfg"};
  const names = ["word", "pos", "chunk"].slice(0, Math.max(1, cells.length - 1));
  while (names.length < cells.length - 1) names.push("column" + (names.length + 1));
  return {dataset: {format: "conll", path: name, columns: [...names, "label"].join(" ")}, model: "chain"};
}

// fileName returns the name of the exported file of a spec: the last part of its id.
function fileName(text) {
  const id = text.match(/^id:\s*([\w.\/-]+)/m);
  return (id ? id[1].split("/").pop() : "playground") + ".yaml";
}
