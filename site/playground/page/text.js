// The text of a spec: writing it from the choices of the form, and changing single sections of a text that the reader
// has edited.
"use strict";

// flow returns a map or a value in YAML's flow style.
function flow(value) {
  if (Array.isArray(value)) return "[" + value.map(flow).join(", ") + "]";
  if (value !== null && typeof value === "object") {
    return "{" + Object.entries(value).map(([k, v]) => k + ": " + flow(v)).join(", ") + "}";
  }
  if (typeof value === "string") return /^[\w.\/-]+$/.test(value) && isNaN(value) ? value : JSON.stringify(value);
  return number(value);
}

// number writes a number as people do: 1e-4 rather than 0.0001.
function number(x) {
  if (typeof x !== "number") return String(x);
  return x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6) ? x.toExponential().replace("e+", "e") : String(x);
}

// sectionsOf returns the sections of a spec that the form sets, by their top-level keys.
function sectionsOf(choice) {
  const stop = {};
  if (choice.gap > 0) stop.gap = choice.gap;
  if (choice.passes > 0) stop.passes = choice.passes;
  return {
    dataset: "dataset: " + flow(choice.dataset),
    model: "model: " + flow(choice.model),
    regularisation: choice.C ? "regularisation: {convention: svm-struct, C: " + number(choice.C) + "}" : "",
    solvers: "solvers:\n" + choice.solvers.map(s => "  - " + flow(s)).join("\n"),
    stop: Object.keys(stop).length ? "stop: " + flow(stop) : "",
  };
}

// newText returns the text of a new spec.
function newText(choice) {
  const s = sectionsOf(choice);
  return ["apiVersion: gaplab/v1", "id: playground/" + choice.id, s.dataset, s.model, s.regularisation, s.solvers, s.stop,
    "record: {every: {passes: 1}}"].filter(line => line).join("\n") + "\n";
}

// withSection replaces a section of a text, or adds it. A section begins with its key at the start of a line and ends
// before the next line that begins with another key. An empty section is removed.
function withSection(text, key, section) {
  const lines = text.replace(/\n$/, "").split("\n");
  const from = lines.findIndex(line => line.startsWith(key + ":"));
  const own = section ? section.split("\n") : [];
  if (from < 0) {
    lines.push(...own);
  } else {
    let to = from + 1;
    while (to < lines.length && /^(\s|-|#|$)/.test(lines[to])) to++;
    while (to > from + 1 && /^(#|\s*$)/.test(lines[to - 1])) to--; // comments and blank lines above the next key
    lines.splice(from, to - from, ...own);
  }
  return lines.join("\n") + "\n";
}

// encodeText and decodeText convert between a text and the fragment of a link. The text is compressed and in base64 for
// addresses.
async function encodeText(text) {
  const bytes = await streamed(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function decodeText(code) {
  const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));
  return new TextDecoder().decode(
    await streamed(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))));
}

async function streamed(stream) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
