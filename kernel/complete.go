package kernel

import (
	"slices"
	"strings"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// Complete implements protocol.Kernel: verbs after %, functions in expressions, and names of solvers, data sets, models
// and experiments elsewhere.
func (k *Kernel) Complete(code string, cursor int) protocol.Completion {
	start := cursor
	for start > 0 && inWord(code[start-1]) {
		start--
	}
	word := code[start:cursor]
	c := protocol.Completion{Start: start, End: cursor}
	for _, name := range k.names(code) {
		if strings.HasPrefix(name, word) {
			c.Matches = append(c.Matches, name)
		}
	}
	slices.Sort(c.Matches)
	c.Matches = slices.Compact(c.Matches)
	return c
}

// names are the words that a cell may use.
func (k *Kernel) names(code string) (out []string) {
	text := strings.TrimSpace(code)
	switch {
	case strings.HasPrefix(text, "="):
		for _, f := range expr.Reference() {
			out = append(out, f.Name)
		}
		return out
	case strings.HasPrefix(text, "%"):
		out = prefixed(append([]string{"help", "run", "scale", "set"}, k.host.Verbs...))
		return append(append(out, experiments.IDs()...), "smoke", "quick", "paper")
	}
	for _, s := range catalogue.Solvers() {
		out = append(out, s.Name)
	}
	for _, d := range catalogue.DataSets() {
		out = append(out, d.Name)
	}
	for _, m := range catalogue.Models() {
		out = append(out, m.Name)
	}
	for name := range k.cells {
		out = append(out, name)
	}
	return append(out, "dataset", "model", "regularisation", "solvers", "stop", "figure", "table", "claims", "record",
		"seeds", "base", "choose", "problems", "convention", "lambda", "passes", "gap", "epochs", "seconds")
}

// inWord says whether a byte is one of a name or a verb.
func inWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("_-/%", b) >= 0
}

// Inspect implements protocol.Kernel: what the catalogue or the language of expressions says of a word.
func (k *Kernel) Inspect(code string, cursor int) string {
	c := k.Complete(code, cursor)
	end := c.End
	for end < len(code) && inWord(code[end]) {
		end++
	}
	word := code[c.Start:end]
	for _, f := range expr.Reference() {
		if f.Name == word {
			return "**" + f.Signature + "**\n\n" + f.Says + "\n\n    " + f.Example
		}
	}
	for _, s := range catalogue.Solvers() {
		if s.Name == word {
			return "**solver " + s.Name + "**\n\n" + s.About
		}
	}
	if e, err := harness.Find(word); err == nil {
		return "**experiment " + e.ID + "**"
	}
	return ""
}

// Whole implements protocol.Kernel: a cell whose last line opens a block goes on.
func (k *Kernel) Whole(code string) (bool, string) {
	lines := strings.Split(strings.TrimRight(code, " \t"), "\n")
	last := lines[len(lines)-1]
	if strings.HasSuffix(strings.TrimSpace(last), ":") && !strings.HasPrefix(strings.TrimSpace(code), "%") {
		return false, last[:len(last)-len(strings.TrimLeft(last, " "))] + "  "
	}
	return true, ""
}
