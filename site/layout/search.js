// Searches the entries of index.js: each has a page, a title and a text. All words must occur; an entry with a word in
// its title comes first.
"use strict";
const query = document.getElementById("query"), found = document.getElementById("found");
const menu = document.getElementById("menu"), contents = document.getElementById("contents");

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(w => w);
  if (!words.length) return [];
  return entries.map(e => {
    const title = (e.title + " " + e.page).toLowerCase(), body = e.text.toLowerCase();
    let score = 0;
    for (const w of words) {
      const inTitle = title.includes(w), inBody = body.includes(w);
      if (!inTitle && !inBody) return null;
      score += (inTitle ? 10 : 0) + (title.split(/\W+/).includes(w) ? 5 : 0) + Math.min(body.split(w).length - 1, 5);
    }
    return {e, score, words};
  }).filter(r => r).sort((a, b) => b.score - a.score).slice(0, 20);
}

// passage returns the part of a text around the first of the words.
function passage(text, words) {
  const at = Math.max(0, Math.min(...words.map(w => {
    const i = text.toLowerCase().indexOf(w);
    return i < 0 ? text.length : i;
  })) - 60);
  return (at > 0 ? "… " : "") + text.slice(at, at + 180) + (at + 180 < text.length ? " …" : "");
}

function show() {
  const results = search(query.value);
  found.replaceChildren();
  found.hidden = !query.value.trim();
  for (const {e, words} of results) {
    const a = document.createElement("a"), title = document.createElement("b"), text = document.createElement("span");
    a.href = document.body.dataset.top + e.to;
    title.textContent = e.title === e.page ? e.title : e.page + ": " + e.title;
    text.textContent = passage(e.text, words);
    a.append(title, text);
    found.append(a);
  }
  if (!results.length) {
    const none = document.createElement("p");
    none.textContent = "Nothing found.";
    found.append(none);
  }
}

query.addEventListener("input", show);
query.form.addEventListener("submit", event => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
document.addEventListener("keydown", event => {
  const list = [query, ...found.querySelectorAll("a")], at = list.indexOf(document.activeElement);
  if (event.key === "Escape") {
    query.value = "";
    show();
  } else if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  } else if (!found.hidden && at >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    list[Math.min(list.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
  }
});
document.addEventListener("click", event => {
  if (!found.contains(event.target) && event.target !== query) found.hidden = true;
  else if (event.target.closest("#found a")) found.hidden = true;
});
menu.addEventListener("click", () => {
  const open = contents.classList.toggle("open");
  menu.setAttribute("aria-expanded", open);
});
