package report

import "strings"

// Explorer returns the style sheet and the script of the interactive curves, for pages that are made elsewhere. The
// script defines the class Explorer, which draws explore.Data into an element. The page defines the function isDark and
// the custom properties --paper, --ink, --soft, --faint, --line, --accent and --mono of its root. When these change, it
// sends an event with the name theme to its document.
func Explorer() (style, script string, err error) {
	join := func(names ...string) (string, error) {
		var b strings.Builder
		for _, name := range names {
			text, err := files.ReadFile(name)
			if err != nil {
				return "", err
			}
			b.Write(text)
			b.WriteByte('\n')
		}
		return b.String(), nil
	}
	if style, err = join("uplot/uPlot.min.css", "explorer.css"); err != nil {
		return "", "", err
	}
	colours, err := palette()
	if err != nil {
		return "", "", err
	}
	library, err := join("uplot/uPlot.iife.min.js")
	if err != nil {
		return "", "", err
	}
	own, err := join(scripts()...)
	return style, library + "const palette = " + string(colours) + ";\n" + own, err
}
