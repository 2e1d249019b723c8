package kernel

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
	"github.com/gaplab/gaplab/kernel/protocol"
	"github.com/gaplab/gaplab/plots"
)

const help = `A cell is an experiment in YAML:

    dataset: {name: digits, train: 500, validation: 100}
    model: {name: multiclass, loss: log}
    regularisation: {convention: lambda, lambda: 0.01}
    solvers: [{name: eg}, {name: lbfgs}]
    stop: {passes: 30}
    figure: {x: passes, y: gap, yscale: log, series: "{as}"}

- **base: previous** starts from the settings of the previous cell (the base); the new cell changes the settings that
  it names, and its solvers are added to those of the base. In place of previous, name a cell (**name: {base: …}**) or
  an experiment. **without: [eg]** removes solvers of the base.
- **= final("eg", "gap")** evaluates an expression over the last results, in the language of claims. Names of solvers
  and columns are in quotes. **= map(series, c => [c.as, final(c, "gap")])** does so for each curve.
- **explore: {C: [100, 10, 1]}** in a cell runs it with each of these settings, and shows the figures with a slider.
- **%run eg/fig06** runs an experiment that comes with gaplab, your own file or a cell. **%show** shows the last results
  again. **%scale quick** sets the scale. **%set stop.passes 50** changes a setting of all later cells; **%set** alone
  removes these changes.
- **%compare eg sgd** compares two runs of the last results, by their names or keys.
- **%export gap.pdf** writes the figure of the last results (also as svg or png), **%export rows.csv** writes their
  rows.
- Other verbs are those of the command line: VERBS. **%claims --help** explains the verb claims.
`

// own returns the verbs that only cells have, and the verbs that do more in a cell than on the command line.
func own() []string { return []string{"export", "help", "plot", "run", "scale", "set", "show"} }

// verb executes a line that begins with %.
func (k *Kernel) verb(ctx context.Context, line string, out protocol.Output) error {
	args, err := split(strings.TrimPrefix(line, "%"))
	if err != nil || len(args) == 0 {
		return fmt.Errorf("%s: want a verb, such as %%run eg/fig06; see %%help", line)
	}
	if err := allowed(args); err != nil {
		return fmt.Errorf("%%%s %w", args[0], err)
	}
	switch name := args[0]; {
	case name == "help":
		verbs := slices.DeleteFunc(slices.Clone(k.host.Verbs), func(v string) bool { return slices.Contains(own(), v) })
		text := strings.Replace(help, "VERBS", strings.Join(prefixed(verbs), ", "), 1)
		out.Display("", map[string]string{"text/markdown": text, "text/plain": text})
		return nil
	case name == "scale":
		return k.setScale(args[1:], out)
	case name == "set":
		return k.setSettings(args[1:], out)
	case name == "run":
		return k.orOlder(k.runNamed(ctx, args[1:], out))
	case len(args) == 1 && (name == "show" || name == "plot"): // without arguments: for the last results
		if k.last.set == nil {
			return errNone
		}
		k.noteOlder(out)
		k.last.show(out)
		return nil
	case name == "export" && len(args) == 2 && isFile(args[1]):
		return k.export(args[1], out)
	case name == "export" && len(args) == 2 && unknownFile(args[1]):
		return fmt.Errorf("%%export %s: accepted: an experiment, or a file whose name ends in one of .csv, .%s", args[1],
			strings.Join(plots.Formats(), ", ."))
	case len(args) == 2 && k.cells[args[1]] != nil && slices.Contains([]string{"show", "plot", "claims"}, name):
		return k.orOlder(k.runNamed(ctx, args[1:], out))
	case slices.Contains(k.host.Verbs, name):
		if name == "compare" {
			keys, err := k.keys(args[1:], out)
			if err != nil {
				return err
			}
			args = append(args[:1], keys...)
		}
		return k.host.Verb(ctx, k.scaled(args), writer(out.Print), writer(out.Warn))
	default:
		all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(own(), k.host.Verbs))))
		return fmt.Errorf("no verb %%%s%s; accepted: %s", name, nearest.DidYouMean(name, all),
			strings.Join(prefixed(all), ", "))
	}
}

// scaled returns the arguments of a command, with the session's scale added if the command accepts a scale and none is
// given.
func (k *Kernel) scaled(args []string) []string {
	if k.scale == "" || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--scale") }) ||
		!slices.Contains([]string{"run", "claims", "plot", "show", "report", "export"}, args[0]) {
		return args
	}
	return append(args, "--scale", k.scale)
}

// keys replaces words that name runs of the last results by the keys of these runs. Such a word consists of labels of a
// run, such as eg or as=eg,C=10. Keys, files and options are returned unchanged.
func (k *Kernel) keys(words []string, out protocol.Output) ([]string, error) {
	keys := slices.Clone(words)
	for i, word := range words {
		found := map[string]string{} // by the key of a run, the labels that distinguish the run
		if k.last.set != nil {
			found = k.runsOf(word)
		}
		switch {
		case len(found) > 1:
			return nil, fmt.Errorf("%s names %d runs of the last results; accepted: %s", word, len(found), listed(found))
		case len(found) == 0 && isKey(word):
			continue
		case len(found) == 0 && k.last.set == nil:
			return nil, fmt.Errorf("%s is not the key of a run; %w", word, errNone)
		case len(found) == 0:
			var known []string
			for _, c := range k.last.set.Curves {
				known = append(known, trace.FormatLabel(c.Labels["as"]))
			}
			return nil, fmt.Errorf("no run of the last results has the name %s%s; accepted: %s, or the key of a run", word,
				nearest.DidYouMean(word, known), listed(k.runsOf("")))
		}
		for key := range found {
			keys[i] = key
		}
		if slices.Index(words, word) == 0 {
			k.noteOlder(out)
		}
	}
	return keys, nil
}

// isKey reports whether a word may be the key of a run, a file of results, or an option.
func isKey(word string) bool {
	return strings.HasPrefix(word, "-") || strings.HasSuffix(word, ".jsonl") ||
		regexp.MustCompile("^[0-9a-f]{6,16}$").MatchString(word)
}

// runsOf returns the runs of the last results that a word names, or all if the word is empty. The result has, by the
// key of a run, the word that names only this run.
func (k *Kernel) runsOf(word string) map[string]string {
	found, count := map[string]string{}, map[string]int{}
	varying := k.last.set.Varying()
	for _, c := range k.last.set.Curves {
		key := c.File.Manifest.Key
		if _, known := found[key]; !known && (word == "" || named(c, word)) {
			found[key] = strings.ReplaceAll(c.Describe(varying), ", ", ",")
			count[trace.FormatLabel(c.Labels["as"])]++
		}
	}
	if word == "" {
		for _, c := range k.last.set.Curves { // a solver with one run needs no further labels
			if as := trace.FormatLabel(c.Labels["as"]); count[as] == 1 {
				found[c.File.Manifest.Key] = as
			}
		}
	}
	return found
}

// listed returns the first names of runs, in order, as a text.
func listed(runs map[string]string) string {
	const most = 8
	names := slices.Sorted(maps.Values(runs))
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("… (%d runs)", len(runs)))
	}
	return strings.Join(names, " ")
}

// named reports whether a curve has all labels that a word names, such as eg or as=eg,C=10.
func named(c *trace.Curve, word string) bool {
	if c.Labels["as"] == word {
		return true
	}
	for part := range strings.SplitSeq(word, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			name, value = "as", part
		}
		if v, has := c.Labels[name]; !has || trace.FormatLabel(v) != value {
			return false
		}
	}
	return true
}

func prefixed(verbs []string) []string {
	out := make([]string, len(verbs))
	for i, v := range verbs {
		out[i] = "%" + v
	}
	return out
}

// writer writes texts to an output.
type writer func(text string)

func (w writer) Write(p []byte) (int, error) {
	w(string(p))
	return len(p), nil
}

var _ io.Writer = writer(nil)

func scales() []string { return []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper} }

func (k *Kernel) setScale(args []string, out protocol.Output) error {
	if len(args) != 1 || !slices.Contains(scales(), args[0]) {
		return fmt.Errorf("%%scale %s: accepted: %s", strings.Join(args, " "), strings.Join(scales(), ", "))
	}
	k.scale = args[0]
	out.Print("scale: " + k.scale + "\n")
	return nil
}

// setSettings adds settings, given as key=value or as a key and its value, to all later experiments. Without arguments
// it removes all settings.
func (k *Kernel) setSettings(args []string, out protocol.Output) error {
	if len(args) > 1 && !strings.Contains(args[0], "=") {
		args = []string{args[0] + "=" + strings.Join(args[1:], " ")}
	}
	for _, a := range args {
		if !strings.Contains(a, "=") {
			return fmt.Errorf("%%set %s: want a key and its value, such as %%set stop.passes 50", a)
		}
	}
	before := k.sets
	k.sets = slices.Concat(before, args)
	if len(args) == 0 {
		k.sets = nil
	}
	if f := k.cells[previous]; f != nil { // check the settings now, to report a wrong one at once
		if _, err := k.at(f, nil, out); err != nil {
			k.sets = before
			return err
		}
	}
	out.Print("settings of all cells: " + cmp.Or(strings.Join(k.sets, " "), "none") + "\n")
	return nil
}

// runNamed runs the cells with the given names. If a word is not the name of a cell, it runs the experiments that the
// command gaplab run would run with the same arguments.
func (k *Kernel) runNamed(ctx context.Context, args []string, out protocol.Output) error {
	if len(args) > 0 && !slices.ContainsFunc(args, func(a string) bool { return k.cells[a] == nil }) {
		for _, name := range args {
			s, err := k.at(k.cells[name], nil, out)
			if err == nil {
				err = k.runSpec(ctx, s, out)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	line := k.scaled(append([]string{"run"}, args...))
	for _, item := range k.sets {
		line = append(line, "--set", item)
	}
	plans, err := k.host.Run(ctx, line[1:], writer(out.Print), writer(out.Warn))
	if err != nil {
		return err
	}
	for _, p := range plans {
		if f, err := k.base(cmp.Or(p.Spec.File, p.Spec.ID)); err == nil {
			k.cells[previous] = f
		}
		if err := k.run(ctx, p, out); err != nil {
			return err
		}
	}
	return nil
}

// split splits a line into words; quotes keep words together.
func split(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%s: a quotation mark is not closed", line)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
