package kernel

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/nearest"
	"github.com/gaplab/gaplab/kernel/protocol"
)

const help = `A cell is an experiment in YAML:

    dataset: {name: digits, train: 500, validation: 100}
    model: {name: multiclass, loss: log}
    regularisation: {convention: lambda, lambda: 0.01}
    solvers: [{name: eg}, {name: lbfgs}]
    stop: {passes: 30}
    figure: {x: passes, y: gap, yscale: log, series: "{as}"}

- **base: previous**, or the name of a cell (**name: {base: …}**) or of an experiment, lays a cell over another; its
  solvers come beside those.
- **= final(curve({as: "eg"}), "gap")** evaluates an expression over the last results, in the language of claims.
- **%run eg/fig06** runs an experiment that comes with gaplab; **%scale quick** sets the scale, **%set stop.passes=50**
  a setting of all cells from here on (**%set** alone takes them back).
- Other verbs are those of the command line: VERBS.
`

// verb carries out a line that begins with %.
func (k *Kernel) verb(ctx context.Context, line string, out protocol.Output) error {
	args, err := split(strings.TrimPrefix(line, "%"))
	if err != nil || len(args) == 0 {
		return fmt.Errorf("%s: want a verb, such as %%run eg/fig06; see %%help", line)
	}
	own := []string{"help", "run", "scale", "set"}
	switch name := args[0]; {
	case name == "help":
		text := strings.Replace(help, "VERBS", strings.Join(prefixed(k.host.Verbs), ", "), 1)
		out.Display("", map[string]string{"text/markdown": text, "text/plain": text})
		return nil
	case name == "scale":
		return k.setScale(args[1:], out)
	case name == "set":
		k.set = append(k.set, args[1:]...)
		if len(args) == 1 {
			k.set = nil
		}
		out.Print("settings of all cells: " + cmp.Or(strings.Join(k.set, " "), "none") + "\n")
		return nil
	case name == "run":
		return k.runNamed(ctx, args[1:], out)
	case slices.Contains(k.host.Verbs, name):
		if k.scale != "" && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--scale") }) &&
			slices.Contains([]string{"claims", "plot", "show", "report"}, name) {
			args = append(args, "--scale", k.scale)
		}
		return k.host.Verb(ctx, args, writer(out.Print), writer(out.Warn))
	default:
		all := append(own, k.host.Verbs...)
		return fmt.Errorf("no verb %%%s%s; accepted: %s", name, nearest.DidYouMean(name, all),
			strings.Join(prefixed(all), ", "))
	}
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

func (k *Kernel) setScale(args []string, out protocol.Output) error {
	scales := []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper}
	if len(args) != 1 || !slices.Contains(scales, args[0]) {
		return fmt.Errorf("%%scale %s: accepted: %s", strings.Join(args, " "), strings.Join(scales, ", "))
	}
	k.scale = args[0]
	out.Print("scale: " + k.scale + "\n")
	return nil
}

// runNamed runs experiments that come with gaplab, or files.
func (k *Kernel) runNamed(ctx context.Context, names []string, out protocol.Output) error {
	if len(names) == 0 {
		return fmt.Errorf("%%run: want an experiment, such as eg/fig06; %%list shows what there is")
	}
	list, err := harness.Select(names...)
	if err != nil {
		return err
	}
	for _, e := range list {
		s, err := k.at(e.File)
		if err != nil {
			return err
		}
		k.cells[previous], k.cells[e.ID] = e.File, e.File
		if err := k.run(ctx, s, out); err != nil {
			return err
		}
	}
	return nil
}

// split splits a line into words; quotes hold one together.
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
		return nil, fmt.Errorf("%s: a quote without its end", line)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
