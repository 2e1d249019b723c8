package reference

import (
	"fmt"
	"io"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
)

// Spec describes all keys for a terminal. Except for examples, lines have at most width characters.
func (r *Reference) Spec(w io.Writer, width int, examples map[string]Example) {
	fmt.Fprintln(w, wrapped("The keys of a spec. A name with a dot is a key below another; [] stands for each element of "+
		"a list. A setting of a data set, model or solver can also be {grid: [...]}: one run per value. The examples are "+
		"from the named experiments.", "", width))
	for _, k := range r.Keys {
		fmt.Fprintf(w, "\n%s\n", head(k))
		fmt.Fprintln(w, wrapped(k.Says, "    ", width))
		if x, ok := examples[k.Path]; ok {
			fmt.Fprintf(w, "    e.g. %s%s\n", x.YAML, x.source("   "))
		}
	}
}

// List describes all components with their settings for a terminal, in lines of at most width characters;
// only examples may be longer.
func (r *Reference) List(w io.Writer, width int, examples map[string]Example) {
	first := true
	for _, c := range r.Components {
		if !first {
			fmt.Fprintln(w)
		}
		first = false
		fmt.Fprintln(w, c.Name)
		fmt.Fprintln(w, wrapped(c.Says, "    ", width))
		for _, k := range c.Settings {
			fmt.Fprintln(w, "  "+head(k))
			fmt.Fprintln(w, wrapped(k.Says, "    ", width))
			if x, ok := examples[c.Setting(k)]; ok {
				fmt.Fprintf(w, "    e.g. %s%s\n", x.YAML, x.source("   "))
			}
		}
	}
}

// aboutExpressions describes the language of expressions, except its functions.
const aboutExpressions = "Expressions occur in claims, figures, tables, cells that begin with = and texts for " +
	"gaplab render. They have numbers, texts, lists, + - * / ** %, == != < <= > >=, && || !, a ? b : c, " +
	"`let v = ...;` and these functions. Columns are written as texts: `\"gap\"`. Labels select curves: `{C: 10}`. " +
	"A text in place of a curve c is the name of its solver: `final(\"eg\", \"gap\")`. The second argument of all, any, " +
	"count, filter, find, map and none is evaluated for each element of the list. There `#` is the element; " +
	"`map(list, x => 2 * x)` means the same as `map(list, 2 * #)`."

// Expressions describes the functions of expressions for a terminal. Except for examples, lines have at most width
// characters.
func Expressions(w io.Writer, width int) {
	fmt.Fprintln(w, wrapped(strings.ReplaceAll(aboutExpressions, "`", ""), "", width))
	for _, f := range expr.Reference() {
		fmt.Fprintf(w, "\n%s\n%s\n    e.g. %s\n", f.Signature, wrapped(f.Says, "    ", width), f.Example)
	}
}

// pageWidth is the number of columns of the page's text.
const pageWidth = 120

// pageHead is the beginning of the page.
const pageHead = `# Reference of specs

The keys of specs, the data sets, models and solvers with their settings, and the functions of expressions. The command
gaplab help help lists the commands that print the parts of this page in a terminal.

A name with a dot is a key below another; [] stands for each element of a list. A setting of a data set, model or solver
can also be {grid: [...]}: one run per value. The examples are from the named experiments.

`

// Markdown writes the whole reference as a page.
func (r *Reference) Markdown(w io.Writer, examples map[string]Example) {
	fmt.Fprint(w, pageHead)
	cell := func(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
	example := func(path string) string {
		x, ok := examples[path]
		if !ok {
			return ""
		}
		return fmt.Sprintf("`%s`%s", cell(x.YAML), x.source(" "))
	}
	fmt.Fprint(w, "| key | values | meaning | example |\n| --- | --- | --- | --- |\n")
	for _, k := range r.Keys {
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", k.Path, cell(values(k)), cell(k.Says), example(k.Path))
	}
	for _, kind := range [][2]string{{"dataset", "Data sets"}, {"format", "Formats of your own data"}, {"model", "Models"},
		{"solver", "Solvers"}} {
		fmt.Fprintf(w, "\n## %s\n\n", kind[1])
		fmt.Fprint(w, "| name | setting | values | meaning | example |\n| --- | --- | --- | --- | --- |\n")
		for _, c := range r.Components {
			if c.Kind != kind[0] {
				continue
			}
			fmt.Fprintf(w, "| `%s` | | | %s | |\n", c.Name, cell(c.Says))
			for _, k := range c.Settings {
				fmt.Fprintf(w, "| | `%s` | %s | %s | %s |\n", k.Path, cell(values(k)), cell(k.Says), example(c.Setting(k)))
			}
		}
	}
	fmt.Fprintf(w, "\n## Functions of expressions\n\n%s\n\n| function | value | example |\n| --- | --- | --- |\n",
		wrapped(aboutExpressions, "", pageWidth))
	for _, f := range expr.Reference() {
		fmt.Fprintf(w, "| `%s` | %s | `%s` |\n", cell(f.Signature), cell(f.Says), cell(f.Example))
	}
}

// source returns the id of the example's experiment in parentheses, after the text gap. If the example is from no
// experiment, it returns "".
func (x Example) source(gap string) string {
	if x.From == "" {
		return ""
	}
	return gap + "(" + x.From + ")"
}

// head returns the first line of a key: its path, type and default.
func head(k Key) string { return k.Path + ": " + values(k) }

func values(k Key) string {
	if k.Default != "" {
		return k.Type + "; default " + k.Default
	}
	return k.Type
}

// wrapped breaks a text into lines of at most width characters, each with the indentation.
func wrapped(text, indent string, width int) string {
	var lines []string
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
