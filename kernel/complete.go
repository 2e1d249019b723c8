package kernel

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/editor"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// word is a word that the user may write at the cursor.
type word struct {
	text, kind string
	says       string // explanation, in Markdown
}

// Complete implements protocol.Kernel. It lists the words that the schema, the catalogue, the language of expressions
// or the command line accepts at the cursor.
func (k *Kernel) Complete(code string, cursor int) protocol.Completion {
	start, end, words := k.words(code, cursor)
	c := protocol.Completion{Start: start, End: end}
	for _, w := range words {
		if strings.HasPrefix(w.text, code[start:cursor]) && !slices.Contains(c.Matches, w.text) {
			c.Matches = append(c.Matches, w.text)
			c.Kinds = append(c.Kinds, w.kind)
		}
	}
	return c
}

// Inspect implements protocol.Kernel. It returns the explanation of the word at the cursor.
func (k *Kernel) Inspect(code string, cursor int) string {
	start, end, words := k.words(code, cursor)
	for end < len(code) && inWord(code[end]) {
		end++
	}
	for _, w := range append(words, nouns()...) {
		if w.text == code[start:end] {
			return w.says
		}
	}
	return ""
}

// nouns returns the names of data sets, models and solvers. Inspect explains these names anywhere in a cell.
func nouns() (out []word) {
	c := harness.Catalogue()
	for kind, list := range map[string][]lang.Entry{"data set": c.Datasets, "model": c.Models, "solver": c.Solvers} {
		for _, n := range list {
			out = append(out, word{n.Name, "value", "**" + n.Name + "**, a " + kind + "\n\n" + n.About})
		}
	}
	return out
}

// words returns the words that may be written at the cursor. Such a word replaces code[start:end].
func (k *Kernel) words(code string, cursor int) (start, end int, words []word) {
	start, end = cursor, cursor
	for start > 0 && inWord(code[start-1]) {
		start--
	}
	line := code[strings.LastIndexByte(code[:cursor], '\n')+1 : cursor]
	switch text := strings.TrimSpace(code); {
	case strings.HasPrefix(text, "="):
		return start, end, slices.Concat(functionWords(), k.columnWords())
	case strings.HasPrefix(strings.TrimSpace(line), "%"):
		return k.verbWords(line, cursor)
	}
	p := editor.Hints(k.parser, code, cursor)
	for _, h := range p.Hints {
		words = append(words, hintWord(h))
	}
	switch last := len(p.Path) - 1; {
	case last >= 0 && p.Path[last] == "base":
		for _, name := range append(k.names(), experiments.IDs()...) {
			words = append(words, word{name, "experiment", "**" + name + "**, an experiment"})
		}
	case last >= 0 && slices.Contains(expressions(), p.Path[last]) &&
		(p.Path[last] != "name" || slices.Contains(p.Path, "columns")):
		words = append(words, k.columnWords()...)
		if slices.Contains(expressions()[:2], p.Path[last]) {
			words = append(words, functionWords()...)
		}
	}
	return p.Start, p.End, words
}

// expressions returns the keys of a spec whose values are expressions. The keys of claims come first.
func expressions() []string {
	return []string{"assert", "measure", "x", "y", "by", "where", "rows", "columns", "name", "series"}
}

// hintWord converts a hint to a word with an explanation in Markdown.
func hintWord(h editor.Hint) word {
	w := word{text: h.Word, kind: "value", says: "**" + h.Word + "**"}
	if h.Key {
		w.kind = "key"
	}
	if h.Of != "" {
		w.says += ", of " + h.Of
	}
	if h.Says != "" {
		w.says += "\n\n" + h.Says
	}
	if h.Accepts != "" {
		w.says += "\n\naccepted: " + h.Accepts
	}
	if h.Default != "" {
		w.says += "\n\ndefault: " + h.Default
	}
	return w
}

func functionWords() (out []word) {
	for _, f := range expr.Reference() {
		out = append(out, word{f.Name, "function", "**" + f.Signature + "**\n\n" + f.Says + "\n\n    " + f.Example})
	}
	return out
}

// columnWords returns the names of the columns and labels of the last results. If there are no results yet, it returns
// the names that every run has.
func (k *Kernel) columnWords() (out []word) {
	columns, labels := append(trace.Always(), trace.Dual, trace.Gap), []string{"as", "solver", "C", "lambda"}
	if k.last.set != nil {
		labels = k.last.set.LabelNames()
		for _, c := range k.last.set.Curves {
			columns = append(columns, c.ColumnNames()...)
		}
	}
	for _, name := range columns {
		out = append(out, word{name, "column", "**" + name + "**, a column of rows: " + figure.AxisLabel([]string{name})})
	}
	for _, name := range labels {
		out = append(out, word{name, "label", "**" + name + "**, a label of runs"})
	}
	return out
}

// verbWords completes a line that begins with %. It returns the possible verbs or, after a verb, the words with which
// the command line would complete it.
func (k *Kernel) verbWords(line string, cursor int) (start, end int, out []word) {
	begin := strings.LastIndexAny(line, " \t") + 1
	start, end = cursor-(len(line)-begin), cursor
	args, err := split(strings.TrimPrefix(strings.TrimSpace(line), "%"))
	if err != nil {
		return start, end, nil
	}
	switch {
	case len(args) == 0 || len(args) == 1 && !strings.HasSuffix(line, " "):
		for _, v := range append(own(), k.host.Verbs...) {
			out = append(out, word{"%" + v, "verb", k.helpOf(v)})
		}
		return start, end, out
	case args[0] == "scale":
		for _, s := range scales() {
			out = append(out, word{s, "value", "**" + s + "**, a scale"})
		}
		return start, end, out
	case args[0] == "set":
		at := line[begin:]
		p := editor.Hints(k.parser, at, len(at))
		for _, h := range p.Hints {
			out = append(out, hintWord(h))
		}
		return start, end, out
	}
	if strings.HasSuffix(line, " ") {
		args = append(args, "")
	}
	if args[0] == "run" {
		for _, name := range k.names() {
			out = append(out, word{name, "experiment", "**" + name + "**, a cell"})
		}
	}
	for _, item := range k.completed(args) {
		text, says, _ := strings.Cut(item, "\t")
		out = append(out, word{text, "value", "**" + text + "**\n\n" + says})
	}
	return start, end, out
}

// completed returns the words by which the command line would complete args. A tab separates each word from its
// explanation.
func (k *Kernel) completed(args []string) (out []string) {
	var b bytes.Buffer
	if k.host.Verb(context.Background(), append([]string{"__complete"}, args...), &b, io.Discard) != nil {
		return nil
	}
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ":") {
			out = append(out, line)
		}
	}
	return out
}

// helpOf returns the help text of a verb of the command line.
func (k *Kernel) helpOf(verb string) string {
	var b bytes.Buffer
	if !slices.Contains(append(k.host.Verbs, "run"), verb) ||
		k.host.Verb(context.Background(), []string{verb, "--help"}, &b, io.Discard) != nil {
		return "**%" + verb + "**; see %help"
	}
	return fmt.Sprintf("**%%%s**\n\n```\n%s```", verb, b.String())
}

// inWord reports whether a byte belongs to a name.
func inWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("_-/.%", b) >= 0
}

// Whole implements protocol.Kernel. A cell is incomplete if its last line opens a block, or if a bracket is open.
func (k *Kernel) Whole(code string) (bool, string) {
	lines := strings.Split(strings.TrimRight(code, " \t"), "\n")
	last := lines[len(lines)-1]
	indent := last[:len(last)-len(strings.TrimLeft(last, " "))]
	if strings.HasPrefix(strings.TrimSpace(code), "%") {
		return true, ""
	}
	if strings.HasSuffix(strings.TrimSpace(last), ":") || editor.Unclosed(code) {
		return false, indent + "  "
	}
	return true, ""
}
