// The list of experiments: filters by paper, verdict and text, which are stored in the address; the table of contents;
// the buttons of experiments.
"use strict";

const articles = [...document.querySelectorAll("article.experiment")];
const tools = { q: document.getElementById("q"), paper: document.getElementById("paper"), verdict: document.getElementById("verdict") };
const texts = new Map(); // texts of articles, in lower case; filled when an article is searched for the first time

function textOf(article) {
	if (!texts.has(article)) {
		const parts = [...article.querySelectorAll(":scope > header, .claims, .numbers, .spec, .origin, figcaption")];
		texts.set(article, parts.map(p => p.textContent).join(" ").toLowerCase());
	}
	return texts.get(article);
}

// filter shows the experiments and claims that match the filters, and hides all others.
function filter() {
	const words = tools.q.value.toLowerCase().split(/\s+/).filter(Boolean), paper = tools.paper ? tools.paper.value : "", verdict = tools.verdict.value;
	let shown = 0, claims = 0;
	for (const a of articles) {
		const own = [...a.querySelectorAll(".claim")], fit = own.filter(c => verdict === "" || c.dataset.verdict === verdict);
		const show = (paper === "" || a.dataset.paper === paper) && (verdict === "" || fit.length > 0) && words.every(w => textOf(a).includes(w));
		a.hidden = !show;
		own.forEach(c => { c.hidden = !fit.includes(c); });
		others(a, own.length - fit.length);
		if (show) {
			shown++;
			claims += fit.length;
		}
	}
	for (const s of document.querySelectorAll("section.paper")) s.hidden = !s.querySelector("article:not([hidden])");
	for (const li of document.querySelectorAll(".contents li")) li.hidden = document.getElementById(li.dataset.id).hidden;
	for (const h of document.querySelectorAll(".contents h2")) h.hidden = ![...h.nextElementSibling.children].some(li => !li.hidden);
	const all = words.length === 0 && paper === "" && verdict === "";
	document.getElementById("found").textContent = count(shown, "experiment") + ", " + count(claims, "claim");
	document.getElementById("clear").hidden = all;
	document.getElementById("nothing").hidden = shown > 0;
	return all;
}

// others adds a button with the number of claims of an experiment that the filter hides. The button shows them.
function others(article, n) {
	let line = article.querySelector(".others");
	if (line) line.remove();
	if (n === 0 || article.hidden) return;
	line = element("p", { className: "others" });
	const b = element("button", { type: "button", textContent: "Show " + count(n, "other claim") });
	b.onclick = () => {
		article.querySelectorAll(".claim").forEach(c => { c.hidden = false; });
		line.remove();
	};
	line.append(b);
	article.querySelector(".claims").append(line);
}

function count(n, noun) {
	return n + " " + noun + (n === 1 ? "" : "s");
}

// address writes the filters into the address, after the #.
function address() {
	const p = new URLSearchParams();
	for (const [name, field] of Object.entries(tools)) if (field && field.value) p.set(name, field.value);
	history.replaceState(null, "", p.size ? "#" + p : location.pathname + location.search);
}

// follow applies the address: it sets the filters, or scrolls to a place.
function follow(first) {
	const hash = decodeURIComponent(location.hash.slice(1)), place = document.getElementById(hash);
	if (hash.includes("=") || hash === "" && !first) {
		const p = new URLSearchParams(location.hash.slice(1));
		for (const [name, field] of Object.entries(tools)) if (field) field.value = p.get(name) || "";
		filter();
		document.querySelector(".columns").scrollIntoView();
		document.getElementById("list").focus({ preventScroll: true });
		return;
	}
	if (place && place.closest("[hidden]")) {
		for (const field of Object.values(tools)) if (field) field.value = "";
		filter();
	}
	if (place && !first) place.scrollIntoView();
}

function showAll() {
	for (const field of Object.values(tools)) if (field) field.value = "";
	filter();
	address();
}

document.querySelector(".tools").addEventListener("submit", e => e.preventDefault());
tools.q.addEventListener("input", () => { filter(); address(); });
for (const s of [tools.paper, tools.verdict]) if (s) s.addEventListener("change", () => { filter(); address(); });
document.getElementById("clear").onclick = showAll;
document.getElementById("reset").onclick = showAll;
addEventListener("hashchange", () => follow(false));
addEventListener("keydown", e => {
	if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
		e.preventDefault();
		tools.q.focus();
	}
});

const theme = document.getElementById("theme");
theme.onclick = nextTheme;
const nameTheme = () => {
	theme.querySelector("span").textContent = themeChoice;
	theme.ariaLabel = "Theme: " + themeChoice;
};
document.addEventListener("theme", nameTheme);
nameTheme();

// The table of contents marks the experiments that are visible.
const here = new IntersectionObserver(seen => {
	for (const e of seen) {
		const li = document.querySelector(`.contents li[data-id="${CSS.escape(e.target.id)}"]`);
		if (li) li.classList.toggle("here", e.isIntersecting);
	}
}, { rootMargin: "-20% 0px -60% 0px" });
articles.forEach(a => here.observe(a));

const explorers = new Map(); // explorers that were opened, by the id of the experiment

async function explore(article, button) {
	const box = article.querySelector(".explorer"), drawing = article.querySelector(".drawing"), open = box.hidden;
	button.disabled = true;
	try {
		if (open && !box.childElementCount) {
			box.hidden = false;
			explorers.set(article.id, new Explorer(article, box, await unpack(article)));
		}
		box.hidden = !open;
		for (const e of [drawing, article.querySelector("button.save")]) if (e) e.hidden = open;
		button.setAttribute("aria-expanded", String(open));
		button.textContent = open ? (drawing ? "Show the figure" : "Close") : "Explore the curves";
	} finally {
		button.disabled = false;
	}
}

// Printed figures are light.
addEventListener("beforeprint", () => { document.documentElement.dataset.theme = "light"; });
addEventListener("afterprint", applyTheme);

// saveFigure saves the figure of an experiment with its description.
function saveFigure(article) {
	const svg = article.querySelector(".drawing svg").cloneNode(true);
	const looks = new Map([...document.getElementById("drawn").sheet.cssRules].filter(r => r.selectorText.startsWith(".")).map(r => [r.selectorText.slice(1), r.style.cssText]));
	for (const e of svg.querySelectorAll("[class]")) {
		e.setAttribute("style", looks.get(e.getAttribute("class")));
		e.removeAttribute("class");
	}
	download(article.id.replaceAll("/", "-") + ".svg", '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(svg));
}

for (const a of articles) {
	const e = a.querySelector("button.explore"), s = a.querySelector("button.save");
	if (e) e.onclick = () => explore(a, e);
	if (s) s.onclick = () => saveFigure(a);
}
filter();
follow(true);
if (location.hash.includes("=")) follow(false);
