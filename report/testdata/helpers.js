// What the tests of the page call: E is the explorer that was opened last, and set gives the control of a name a value:
// of a list by its text, of a slider by its position.
const button = id => document.getElementById(id).querySelector("button.explore");
const pause = () => new Promise(done => setTimeout(done, 50));
async function openExplorer(id) {
	document.getElementById(id).scrollIntoView();
	button(id).click();
	for (let i = 0; i < 100 && !button(id).textContent.startsWith("Show"); i++) await pause();
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
true
