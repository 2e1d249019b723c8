// The worker: loads the WebAssembly, and answers the messages of the page. Each message has a type:
//
//   to the worker      load {module}, check {id, text}, complete {id, text, at}, run {text, known}, stop, file {name, bytes}
//   from the worker    loaded {module}, ready, answer {id, value}, steps {steps}, ended {error}, failed {error}
"use strict";

importScripts("files.js", "wasm_exec.js");

// compiled returns the module. The server sends it compressed by gzip, without inflating it: any static server does.
async function compiled() {
  const response = await fetch("gaplab.wasm.gz");
  if (!response.ok) throw new Error(`gaplab.wasm.gz: the server answered ${response.status}`);
  const inflated = (response.headers.get("Content-Encoding") || "").includes("gzip");
  const stream = inflated ? response.body : response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, {headers: {"Content-Type": "application/wasm"}}));
}

async function load(known) {
  const go = new Go(), texts = fetch("descriptions.json"), module = known || await compiled();
  postMessage({type: "loaded", module});
  const started = new Promise(resolve => { globalThis.ready = resolve; });
  go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => {
    postMessage({type: "failed", error: "the solvers have ended: perhaps the memory of this page is full"});
  });
  await started;
  const described = await texts, error = gaplab.start(described.ok ? await described.text() : "");
  if (error) throw new Error(error);
  postMessage({type: "ready"});
}

// complete converts between the offsets of Go, in bytes, and those of JavaScript.
function complete(text, at) {
  const encoder = new TextEncoder(), bytes = encoder.encode(text), decoder = new TextDecoder();
  const found = JSON.parse(gaplab.complete(text, encoder.encode(text.slice(0, at)).length));
  for (const end of ["start", "end"]) found[end] = decoder.decode(bytes.subarray(0, found[end])).length;
  return found;
}

onmessage = event => {
  const m = event.data;
  switch (m.type) {
  case "load":
    load(m.module).catch(error => postMessage({type: "failed", error: String(error.message || error)}));
    break;
  case "check":
    postMessage({type: "answer", id: m.id, value: JSON.parse(gaplab.check(m.text))});
    break;
  case "complete":
    postMessage({type: "answer", id: m.id, value: complete(m.text, m.at)});
    break;
  case "run":
    gaplab.run(m.text, Boolean(m.known), steps => postMessage({type: "steps", steps: JSON.parse(steps)}),
      error => postMessage({type: "ended", error}));
    break;
  case "stop":
    gaplab.stop();
    break;
  case "file":
    putFile(m.name, m.bytes);
    break;
  }
};
