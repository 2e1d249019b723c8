// Functions that the tests of the page call. E is the explorer that was opened last. set sets the control with a name to a
// value, which is a text for a list and a position for a slider.
const button = id => document.getElementById(id).querySelector("button.explore");
const pause = () => new Promise(done => setTimeout(done, 50));
async function openExplorer(id) {
	const article = document.getElementById(id);
	open(article, true);
	await fill(article);
	article.scrollIntoView();
	button(id).click();
	for (let i = 0; i < 400 && button(id).textContent.startsWith("Explore"); i++) await pause();
	window.E = explorers.get(id);
	await pause();
	return E.u !== undefined;
}
async function closeExplorer(id) {
	button(id).click();
	await pause();
	return true;
}
function set(name, value) {
	const label = [...E.box.querySelectorAll(".controls label")].find(l => [...l.childNodes].some(n => n.nodeType === 3 && n.data === name));
	const field = label.querySelector("select, input");
	if (field.type === "checkbox") {
		field.checked = value;
	} else if (field.tagName === "SELECT") {
		field.value = [...field.options].find(o => o.value === value || o.textContent === value).value;
	} else {
		field.value = value;
		field.dispatchEvent(new Event("input"));
		return true;
	}
	field.dispatchEvent(new Event("change"));
	return true;
}
// allViews returns a text that lists the views of experiments that are not drawn or fail.
async function allViews() {
	const faults = [];
	await Promise.all(articles.map(fill));
	for (const a of articles.filter(a => a.querySelector("button.explore"))) {
		await openExplorer(a.id);
		E.data.panels.forEach((panel, p) => {
			const view = what => {
				try {
					what();
					if (!E.u && !E.said.textContent) faults.push(`${a.id}, panel ${p}: nothing is drawn, and no message explains why`);
				} catch (e) {
					faults.push(`${a.id}, panel ${p}, ${JSON.stringify(E.view)}: ${e.stack}`);
				}
			};
			view(() => { E.choosePanel(p); E.build(); });
			if (!E.u) faults.push(`${a.id}, panel ${p}: ${E.said.textContent}`);
			E.data.columns.forEach((column, i) => view(() => E.change(column.work ? { x: i } : { y: i, logy: false })));
			for (const summary of ["median", "each", "mean"]) view(() => E.change({ y: -1, summary }));
			view(() => E.change({ relative: E.data.labels.includes("as") ? E.data.runs[0].labels.as : panel.lines[0].label }));
			for (const { s } of E.drawn) {
				if (s.x.some((x, i) => i > 0 && x < s.x[i - 1]) || s.x.length !== s.y.length) faults.push(`${a.id}: ${s.label} is not a curve with ascending x`);
			}
		});
	}
	return faults.join("\n");
}
true
