package playground

import (
	"embed"
	"encoding/json"
	"html/template"
	"reflect"
	"strings"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/report"
	"github.com/gaplab/gaplab/site/playground/session"
)

// page contains the text, the style sheet and the scripts of the page.
//
//go:embed page
var page embed.FS

// Body returns the body of the page in HTML. The folder of Assets must be beside the page.
func Body() (template.HTML, error) {
	text, err := page.ReadFile("page/page.html")
	if err != nil {
		return "", err
	}
	begin, err := page.ReadFile("page/begin.js")
	if err != nil {
		return "", err
	}
	const folder = "playground/"
	return template.HTML("<script>\n" + string(begin) + `</script>
<link rel="stylesheet" href="` + folder + "playground.css\">\n" + string(text) +
		"\n<script src=\"" + folder + "playground.js\"></script>\n"), nil
}

// Assets returns the files that the page loads, except those that Build makes, by their names.
func Assets() (map[string][]byte, error) {
	style, script, err := report.Explorer()
	if err != nil {
		return nil, err
	}
	data, err := constants()
	if err != nil {
		return nil, err
	}
	own := func(names ...string) (string, error) {
		var b strings.Builder
		for _, name := range names {
			text, err := page.ReadFile("page/" + name)
			if err != nil {
				return "", err
			}
			b.Write(text)
		}
		return b.String(), nil
	}
	scripts, err := own("theme.js", "text.js", "own.js", "editor.js", "solvers.js", "curves.js", "playground.js")
	if err != nil {
		return nil, err
	}
	styles, err := own("playground.css")
	if err != nil {
		return nil, err
	}
	described, err := json.Marshal(descriptions())
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{"playground.css": []byte(style + styles), "playground.js": []byte(script + data + scripts),
		"descriptions.json": described}
	for _, name := range []string{"worker.js", "files.js"} {
		text, err := own(name)
		if err != nil {
			return nil, err
		}
		out[name] = []byte(text)
	}
	return out, nil
}

// constants returns the constants of the scripts: the problems of the form, the readable names of columns, and the
// descriptions of the solvers.
func constants() (string, error) {
	problems, err := page.ReadFile("page/problems.json")
	if err != nil {
		return "", err
	}
	labels := map[string]string{}
	for _, c := range append(trace.Always(), trace.Dual, trace.Gap, trace.Seconds, trace.Epoch, trace.MaxCalls,
		trace.ExpCalls, trace.SumCalls, "validation_error", "validation_sequence_error", "validation_f1",
		"validation_accuracy", "validation_accuracy_words") {
		labels[c] = figure.AxisLabel([]string{c})
	}
	about := map[string]string{}
	for _, e := range catalogue.Solvers() {
		about[e.Name] = e.About
	}
	var b strings.Builder
	for _, c := range []struct {
		name  string
		value any
	}{{"playgroundProblems", json.RawMessage(problems)}, {"playgroundLabels", labels}, {"playgroundSolvers", about}} {
		text, err := json.Marshal(c.value)
		if err != nil {
			return "", err
		}
		b.WriteString("const " + c.name + " = " + string(text) + ";\n")
	}
	return b.String(), nil
}

// descriptions returns the descriptions of all settings and keys, which the program reads from its own sources. The
// WebAssembly does not contain the sources.
func descriptions() map[string]string {
	out := map[string]string{}
	c := harness.Catalogue()
	describe := c.Describe
	c.Describe = func(t reflect.Type, field string) string {
		text := describe(t, field)
		if text != "" {
			out[session.DescriptionKey(t, field)] = text
		}
		return text
	}
	if _, err := lang.Schema(c); err != nil {
		panic("playground: " + err.Error()) // impossible: the catalogue is the program's own
	}
	return out
}
