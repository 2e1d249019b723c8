// The theme follows the system.
"use strict";

const darkTheme = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return darkTheme.matches;
}

darkTheme.addEventListener("change", () => document.dispatchEvent(new Event("theme")));
