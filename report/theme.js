// The theme: light, dark, or like the system. It is set before anything is drawn.
"use strict";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
let themeChoice = "system";
try {
	themeChoice = localStorage.getItem("gaplab-theme") || themeChoice;
} catch (e) { /* no storage for this page: the choice lasts as long as the page */ }

function isDark() {
	return themeChoice === "dark" || themeChoice === "system" && systemDark.matches;
}

function applyTheme() {
	document.documentElement.dataset.theme = isDark() ? "dark" : "light";
	document.dispatchEvent(new Event("theme"));
}

function nextTheme() {
	const all = ["system", "light", "dark"];
	themeChoice = all[(all.indexOf(themeChoice) + 1) % all.length];
	try {
		localStorage.setItem("gaplab-theme", themeChoice);
	} catch (e) { /* as above */ }
	applyTheme();
}

systemDark.addEventListener("change", applyTheme);
applyTheme();
