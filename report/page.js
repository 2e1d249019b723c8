// The list of experiments: cards that open, filters by paper, verdict and text, which are stored in the address, and the
// table of contents.
"use strict";

const articles = [...document.querySelectorAll("article.experiment")];
const tools = { q: document.getElementById("q"), paper: document.getElementById("paper"), verdict: document.getElementById("verdict") };
const explorers = new Map(); // explorers that were opened, by the id of the experiment
const filled = new Map(); // promises of the contents of articles, by the id of the experiment

// fill unpacks the contents of an article, the first time that it is called.
function fill(article) {
	if (!filled.has(article.id)) {
		filled.set(article.id, unpackText(packedOf("inside", article)).then(text => {
			const inside = article.querySelector(".inside");
			inside.innerHTML = text;
			const explorer = inside.querySelector("button.explore"), save = inside.querySelector("button.save");
			if (explorer) explorer.onclick = () => explore(article, explorer);
			if (save) save.onclick = () => saveFigure(article);
			for (const d of inside.querySelectorAll("details")) d.addEventListener("toggle", () => colourSpec(d), { once: true });
			place(article);
			chooseClaims(article);
		}));
	}
	return filled.get(article.id);
}

// place moves the figure of an article into its card, if the article is closed, or back to its claims. A card without a
// figure shows the beginning of its table.
function place(article) {
	const thumb = article.querySelector(".thumb"), drawing = article.querySelector(".drawing");
	const svg = article.querySelector(".drawing:not(.narrow) svg, .thumb svg");
	if (svg) {
		const { width, height } = svg.viewBox.baseVal; // of a tall figure, the card shows only the upper part
		svg.setAttribute("preserveAspectRatio", height > .9 * width ? "xMidYMin slice" : "xMidYMid meet");
		(article.classList.contains("open") ? drawing : thumb).append(svg);
	} else if (!thumb.childElementCount) {
		const table = article.querySelector("table.numbers"), text = article.querySelector(".says");
		if (table) thumb.append(table.cloneNode(true));
		else if (text) thumb.append(element("p", { textContent: text.textContent }));
	}
}

// open opens or closes an article. Its contents are filled in when the article is near the visible part of the page.
function open(article, on) {
	article.classList.toggle("open", on);
	article.querySelector(".inside").hidden = !on;
	article.querySelector(".opener").setAttribute("aria-expanded", String(on));
	if (filled.has(article.id)) place(article);
}

// near fills the articles that are near the visible part of the page.
const near = new IntersectionObserver(seen => {
	for (const e of seen) {
		if (!e.isIntersecting) continue;
		fill(e.target);
		near.unobserve(e.target);
	}
}, { rootMargin: "400px 0px" });
articles.forEach(a => near.observe(a));

// claimsOf returns the number of claims of an article, or of those with a verdict.
function claimsOf(article, verdict) {
	if (verdict === "") return Number(article.dataset.claims);
	const n = article.dataset.counts.split(" ").find(c => c.startsWith(verdict + ":"));
	return n ? Number(n.slice(verdict.length + 1)) : 0;
}

// filter shows the experiments that match the filters, and hides all others. With a text, the best matches come first.
async function filter() {
	const asked = tools.q.value, terms = termsOf(asked), paper = tools.paper ? tools.paper.value : "", verdict = tools.verdict.value;
	if (terms.length > 0) await readTexts();
	if (tools.q.value !== asked) return; // the reader has changed the text in the meantime
	let shown = 0, claims = 0;
	const scores = new Map(articles.map(a => [a, terms.length > 0 ? score(a, terms) : 1]));
	const ranks = [...articles].sort((a, b) => scores.get(b) - scores.get(a));
	for (const a of articles) {
		const n = claimsOf(a, verdict);
		a.hidden = !(scores.get(a) > 0 && (paper === "" || a.dataset.paper === paper) && (verdict === "" || n > 0));
		a.style.order = terms.length > 0 ? ranks.indexOf(a) : "";
		if (filled.has(a.id)) chooseClaims(a);
		if (!a.hidden) {
			shown++;
			claims += n;
		}
	}
	document.getElementById("list").classList.toggle("ranked", terms.length > 0);
	for (const s of document.querySelectorAll("section.paper")) s.hidden = !s.querySelector("article:not([hidden])");
	for (const li of document.querySelectorAll(".contents li")) li.hidden = document.getElementById(li.dataset.id).hidden;
	for (const h of document.querySelectorAll(".contents h2")) h.hidden = ![...h.nextElementSibling.children].some(li => !li.hidden);
	document.getElementById("found").textContent = count(shown, "experiment") + ", " + count(claims, "claim");
	document.getElementById("clear").hidden = terms.length === 0 && paper === "" && verdict === "";
	document.getElementById("nothing").hidden = shown > 0;
}

// chooseClaims hides the claims of an article that the filter by verdict excludes. A button shows them.
function chooseClaims(article) {
	const verdict = tools.verdict.value, own = [...article.querySelectorAll(".claim")];
	own.forEach(c => { c.hidden = verdict !== "" && c.dataset.verdict !== verdict; });
	const n = own.filter(c => c.hidden).length;
	let line = article.querySelector(".others");
	if (line) line.remove();
	if (n === 0 || n === own.length) return;
	line = element("p", { className: "others" });
	const b = element("button", { type: "button", textContent: "Show " + count(n, "other claim") });
	b.onclick = () => {
		own.forEach(c => { c.hidden = false; });
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

// follow applies the address: it sets the filters, or opens the experiment or the claim that the address names.
async function follow(first) {
	const hash = decodeURIComponent(location.hash.slice(1));
	if (hash.includes("=") || hash === "" && !first) {
		const p = new URLSearchParams(location.hash.slice(1));
		for (const [name, field] of Object.entries(tools)) if (field) field.value = p.get(name) || "";
		await filter();
		openAll(tools.verdict.value !== ""); // who asks for a verdict wants to read the claims
		document.querySelector(".columns").scrollIntoView();
		document.getElementById("list").focus({ preventScroll: true });
		return;
	}
	const article = articles.find(a => hash === a.id || hash.startsWith(a.id + "/"));
	if (article && article.hidden) await showAll();
	if (article) {
		open(article, true);
		await fill(article);
	}
	const target = document.getElementById(hash);
	if (!target) return;
	for (const t of document.querySelectorAll(".target")) t.classList.remove("target");
	target.classList.add("target");
	target.scrollIntoView();
}

function showAll() {
	for (const field of Object.values(tools)) if (field) field.value = "";
	address();
	return filter();
}

const unfold = document.getElementById("unfold");

// openAll opens or closes all experiments that the filters show.
function openAll(on) {
	articles.filter(a => !a.hidden).forEach(a => open(a, on));
	unfold.setAttribute("aria-pressed", String(on));
	unfold.textContent = on ? "Close all" : "Open all";
}

document.querySelector(".tools").addEventListener("submit", e => e.preventDefault());
tools.q.addEventListener("input", () => { filter(); address(); });
for (const s of [tools.paper, tools.verdict]) if (s) s.addEventListener("change", () => { filter(); address(); });
document.getElementById("clear").onclick = showAll;
document.getElementById("reset").onclick = showAll;
unfold.onclick = () => openAll(unfold.getAttribute("aria-pressed") !== "true");
addEventListener("hashchange", () => follow(false));
addEventListener("keydown", e => {
	if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
		e.preventDefault();
		tools.q.focus();
	}
});
for (const a of articles) {
	const toggle = () => {
		const on = !a.classList.contains("open");
		open(a, on);
		fill(a);
		if (on) history.replaceState(null, "", "#" + a.id);
		a.scrollIntoView({ block: "nearest" });
	};
	a.querySelector(".opener").onclick = toggle;
	a.querySelector(".thumb").onclick = toggle;
}

const theme = document.getElementById("theme");
theme.onclick = nextTheme;
const nameTheme = () => {
	theme.querySelector("span").textContent = themeChoice;
	theme.ariaLabel = "Theme: " + themeChoice;
};
document.addEventListener("theme", nameTheme);
nameTheme();

// The table of contents marks the experiments that are visible, and scrolls to them.
const contents = document.querySelector(".contents");
const here = new IntersectionObserver(seen => {
	for (const e of seen) {
		const li = contents.querySelector(`li[data-id="${CSS.escape(e.target.id)}"]`);
		if (li) li.classList.toggle("here", e.isIntersecting);
	}
	const marked = [...contents.querySelectorAll("li.here")].filter(li => li.offsetHeight > 0);
	if (marked.length === 0) return;
	const top = marked[0].offsetTop, bottom = marked[marked.length - 1].offsetTop + 24;
	if (top < contents.scrollTop + 40) contents.scrollTop = top - 40;
	else if (bottom > contents.scrollTop + contents.clientHeight - 20) contents.scrollTop = bottom - contents.clientHeight + 20;
}, { rootMargin: "-15% 0px -50% 0px" });
articles.forEach(a => here.observe(a));

async function explore(article, button) {
	const box = article.querySelector(".explorer"), drawings = article.querySelectorAll(".drawing"), opening = box.hidden;
	button.disabled = true;
	try {
		if (opening && !box.childElementCount) {
			box.hidden = false;
			explorers.set(article.id, new Explorer(article, box, await unpack(article)));
		}
		box.hidden = !opening;
		for (const e of [...drawings, article.querySelector("button.save")]) if (e) e.hidden = opening;
		button.setAttribute("aria-expanded", String(opening));
		button.textContent = opening ? (drawings.length > 0 ? "Show the figure" : "Close") : "Explore the curves";
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

if (articles.length <= 3) openAll(true);
filter();
follow(true);
if (location.hash.includes("=")) follow(false);
