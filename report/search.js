// The search: it finds the experiments that contain all words and phrases, and ranks them.
"use strict";

const texts = new Map(); // texts by article, in lower case: {id, title, paper, claims, all}

// readTexts reads the texts of all articles, the first time that it is called.
async function readTexts() {
	await Promise.all(articles.filter(a => !texts.has(a)).map(async a => {
		const page = (await unpackText(packedOf("inside", a))).replace(/<svg[^]*?<\/svg>/g, "");
		const section = document.getElementById("paper-" + a.dataset.paper);
		const paper = a.dataset.paper + " " + [...section.querySelectorAll(":scope > h2, :scope > .citation")].map(e => e.textContent).join(" ");
		const claims = [...page.matchAll(/<p class="says">([^]*?)<\/p>/g)].map(m => plain(m[1])).join(" ");
		const lower = { id: a.id, title: a.dataset.title, paper, claims, all: a.querySelector("header").textContent + " " + plain(page) };
		for (const [key, text] of Object.entries(lower)) lower[key] = text.toLowerCase().replace(/\s+/g, " ");
		texts.set(a, lower);
	}));
}

// plain returns the text of HTML.
function plain(html) {
	const signs = { amp: "&", lt: "<", gt: ">", "#34": '"', "#39": "'", "#43": "+" };
	return html.replace(/<[^>]*>/g, " ").replace(/&(#?\w+);/g, (all, name) => signs[name] ?? all);
}

// termsOf returns the words of a search, in lower case. Quotation marks enclose a phrase, which is one term.
function termsOf(text) {
	const found = text.toLowerCase().matchAll(/"([^"]*)"?|(\S+)/g);
	return [...found].map(m => (m[1] ?? m[2]).trim().replace(/\s+/g, " ")).filter(Boolean);
}

// score returns 0 unless an article contains all terms. Terms in the id count most, then those in the title, in the names
// and authors of the paper, in the claims, and in all other text. A term that begins a word counts more than one inside.
function score(article, terms) {
	const t = texts.get(article);
	let sum = 0;
	for (const term of terms) {
		let best = 0;
		for (const [field, weight] of [["id", 1000], ["title", 300], ["paper", 40], ["claims", 10], ["all", 1]]) {
			const at = t[field].indexOf(term);
			if (at < 0) continue;
			const begins = at === 0 || !/[\p{L}\p{N}]/u.test(t[field][at - 1]), ends = !/[\p{L}\p{N}]/u.test(t[field][at + term.length] ?? " ");
			best += weight * (1 + begins + (begins && ends));
		}
		if (best === 0) return 0;
		sum += best;
	}
	return sum;
}
