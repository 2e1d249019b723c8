// The page's end of the worker. If the worker does not stop soon, it is terminated, and another one takes its place:
// the compiled module and the user's files are kept.
"use strict";

class Solvers {
  constructor(on) {
    this.on = on; // functions: ready(), failed(error)
    this.files = new Map();
    this.answers = new Map();
    this.asked = 0;
    this.begin();
  }

  begin() {
    this.ready = new Promise(resolve => { this.isReady = resolve; });
    const first = window.firstWorker; // of begin.js
    window.firstWorker = null;
    this.worker = first ? first.worker : new Worker(document.body.dataset.top + "playground/worker.js");
    this.worker.onmessage = event => this.receive(event.data);
    this.worker.onerror = event => this.on.failed(event.message || "the worker could not start");
    if (first) first.messages.forEach(m => this.receive(m));
    else this.worker.postMessage({type: "load", module: this.module});
    for (const [name, bytes] of this.files) this.worker.postMessage({type: "file", name, bytes});
  }

  receive(m) {
    switch (m.type) {
    case "loaded":
      this.module = m.module;
      break;
    case "ready":
      this.isReady();
      this.on.ready();
      break;
    case "answer":
      this.answers.get(m.id)(m.value);
      this.answers.delete(m.id);
      break;
    case "steps":
      if (this.running) this.running.steps(m.steps);
      break;
    case "ended":
      this.end(m.error);
      break;
    case "failed":
      if (this.running) this.end(m.error);
      this.on.failed(m.error);
      break;
    }
  }

  async ask(type, rest) {
    await this.ready;
    const id = ++this.asked;
    this.worker.postMessage({type, id, ...rest});
    return new Promise(resolve => { this.answers.set(id, resolve); });
  }

  check(text) {
    return this.ask("check", {text});
  }

  complete(text, at) {
    return this.ask("complete", {text, at});
  }

  addFile(name, bytes) {
    this.files.set(name, bytes);
    this.worker.postMessage({type: "file", name, bytes});
  }

  // run starts the runs of a spec. known: the spec has no faults for certain. steps is called with lists of steps; the
  // promise gives the error, or "".
  async run(text, known, steps) {
    await this.ready;
    return new Promise(resolve => {
      this.running = {steps, resolve};
      this.worker.postMessage({type: "run", text, known});
    });
  }

  end(error) {
    clearTimeout(this.patience);
    const running = this.running;
    this.running = null;
    if (running) running.resolve(error);
  }

  // stop asks the worker to stop at the next row. A long pass may have no row for a while.
  stop() {
    if (!this.running) return;
    this.worker.postMessage({type: "stop"});
    this.patience = setTimeout(() => {
      this.worker.terminate();
      this.begin();
      this.end("");
    }, 1500);
  }
}
