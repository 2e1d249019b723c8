// Starts the first worker, before the browser has read the rest of the page. It keeps the messages for solvers.js.
if (location.protocol !== "file:") {
  const first = new Worker("playground/worker.js"), messages = [];
  first.onmessage = event => messages.push(event.data);
  first.postMessage({type: "load"});
  window.firstWorker = {worker: first, messages};
}
