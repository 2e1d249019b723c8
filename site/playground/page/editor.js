// The editor: a text area with line numbers, the faults of the spec below it, and a list of the words that may follow.
"use strict";

class Editor {
  // check(text) and complete(text, at) return promises, of the worker; on(report) is called after each check.
  constructor(box, check, complete, on) {
    this.area = box.querySelector("textarea");
    this.numbers = box.querySelector(".numbers");
    this.faults = box.querySelector(".faults");
    this.list = box.querySelector(".words");
    this.ask = {check, complete};
    this.on = on;
    this.words = [];
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("scroll", () => { this.numbers.scrollTop = this.area.scrollTop; });
    this.area.addEventListener("keydown", event => this.key(event));
    this.area.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.area.addEventListener("click", () => this.close());
  }

  get text() {
    return this.area.value;
  }

  // replace replaces the whole text, so that the reader can undo it with the keyboard.
  replace(text) {
    if (text === this.area.value) return;
    this.area.setSelectionRange(0, this.area.value.length);
    this.insert(text);
  }

  // insert writes a text in place of the selection.
  insert(text) {
    const focused = document.activeElement;
    this.area.focus({preventScroll: true});
    if (!document.execCommand("insertText", false, text)) { // an old function, but the only one that undo knows
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
      this.changed();
    }
    if (focused && focused !== this.area) focused.focus({preventScroll: true});
  }

  // begin shows a text and does not check it.
  begin(text) {
    this.area.value = text;
    this.count();
  }

  changed() {
    this.count();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), 200);
    if (document.activeElement === this.area && !this.quiet && /\w$/.test(this.before())) this.suggest();
    else this.close();
  }

  // count fits the height and the numbers of lines to the text.
  count() {
    const lines = this.text.split("\n").length;
    if (lines !== this.lines) {
      this.lines = lines;
      this.area.rows = Math.min(Math.max(lines, 12), 26);
      this.number(new Set());
    }
  }

  before() {
    return this.text.slice(0, this.area.selectionStart);
  }

  number(bad) {
    this.numbers.replaceChildren();
    for (let i = 1; i <= this.lines; i++) {
      const line = document.createElement("span");
      line.textContent = i;
      if (bad.has(i)) line.className = "bad";
      this.numbers.append(line);
    }
  }

  // check shows the faults of the text.
  async check() {
    const text = this.text, report = await this.ask.check(text);
    if (text !== this.text) return;
    this.number(new Set(report.faults.map(f => f.line)));
    this.faults.replaceChildren();
    for (const f of report.faults) {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = f.text;
      button.onclick = () => this.go(f.line);
      item.append(button);
      this.faults.append(item);
    }
    this.area.setAttribute("aria-invalid", report.faults.length > 0);
    this.on(report);
  }

  // go selects a line.
  go(line) {
    if (line < 1) return;
    const before = this.text.split("\n").slice(0, line - 1).join("\n"), from = line > 1 ? before.length + 1 : 0;
    const end = this.text.indexOf("\n", from);
    this.area.focus();
    this.area.setSelectionRange(from, end < 0 ? this.text.length : end);
  }

  // suggest lists the words that may be written at the cursor.
  async suggest() {
    const text = this.text, at = this.area.selectionStart, found = await this.ask.complete(text, at);
    if (text !== this.text || at !== this.area.selectionStart) return;
    const typed = text.slice(found.start, at);
    this.words = found.words.filter(w => w.word.startsWith(typed) && w.word !== typed).slice(0, 40);
    this.range = [found.start, Math.max(found.end, at)];
    this.chosen = 0;
    this.show();
  }

  show() {
    this.list.replaceChildren();
    this.list.hidden = !this.words.length;
    this.area.setAttribute("aria-expanded", !this.list.hidden);
    this.words.forEach((w, i) => {
      const item = document.createElement("li");
      const name = document.createElement("code"), says = document.createElement("span");
      item.id = "word-" + i;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", i === this.chosen);
      name.textContent = w.word;
      says.textContent = w.says;
      item.append(name, says);
      item.onmousedown = event => { event.preventDefault(); this.accept(i); };
      this.list.append(item);
    });
    if (this.list.hidden) this.area.removeAttribute("aria-activedescendant");
    else this.area.setAttribute("aria-activedescendant", "word-" + this.chosen);
    this.list.querySelector("[aria-selected=true]")?.scrollIntoView({block: "nearest"});
    if (!this.list.hidden) {
      const line = this.before().split("\n").length, height = parseFloat(getComputedStyle(this.area).lineHeight);
      this.list.style.top = Math.min(this.area.offsetHeight, line * height - this.area.scrollTop + 10) + "px";
    }
  }

  close() {
    if (!this.words.length) return;
    this.words = [];
    this.show();
  }

  accept(i) {
    const w = this.words[i], after = this.text.slice(this.range[1]);
    this.quiet = true;
    this.area.setSelectionRange(...this.range);
    this.insert(w.word + (w.key && !/^\s*:/.test(after) ? ": " : ""));
    this.quiet = false;
    this.close();
    this.area.focus();
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === " ") {
      event.preventDefault();
      this.suggest();
      return;
    }
    if (!this.words.length) return;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) {
      this.chosen = (this.chosen + step + this.words.length) % this.words.length;
      this.show();
    } else if (event.key === "Enter" || event.key === "Tab") {
      this.accept(this.chosen);
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
  }
}
