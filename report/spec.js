// The colours of specs: comments, keys, texts and numbers of YAML.
"use strict";

// colourSpec colours the spec in an element, if there is one.
function colourSpec(place) {
	const code = place.querySelector(".spec code");
	if (!code || code.childElementCount > 0) return;
	const pattern = /(^|\s)(#.*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')|([\w.-]+|"[^"\n]*")(?=:(?:\s|$))|(?<![\w.])(-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])/gm;
	const parts = [];
	let last = 0;
	for (const m of code.textContent.matchAll(pattern)) {
		const kind = m[2] !== undefined ? "comment" : m[4] !== undefined ? "key" : m[3] !== undefined ? "text" : "number";
		const from = m.index + (m[1] ? m[1].length : 0);
		parts.push(m.input.slice(last, from), element("span", { className: kind, textContent: m.input.slice(from, m.index + m[0].length) }));
		last = m.index + m[0].length;
	}
	parts.push(code.textContent.slice(last));
	code.replaceChildren(...parts);
}
