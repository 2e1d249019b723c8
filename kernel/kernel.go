// Package kernel is a Jupyter kernel whose cells are experiments: a cell is a spec, an expression over results, or a
// verb (a line that begins with %). The package converts cells to calls of the harness, and results to displays of a
// notebook.
//
//	k, err := kernel.New(kernel.Host{Version: "1.0", Verb: run})
//	err = protocol.Serve(ctx, connection, k)
package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/editor"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// Host holds what the program that runs the kernel provides.
type Host struct {
	Version string
	// Verbs lists the verbs of the command line that a cell may use. Verb executes a command line.
	Verbs []string
	Verb  func(ctx context.Context, args []string, out, err io.Writer) error
	// Run parses the arguments of the verb run and returns the plans to run. With --dry-run it prints the planned runs and
	// returns no plans.
	Run     func(ctx context.Context, args []string, out, err io.Writer) ([]*harness.Plan, error)
	Options harness.Options // options of the experiments in cells
}

// Kernel is the state of one session.
type Kernel struct {
	host   Host
	parser *lang.Parser
	scale  string   // scale that %scale has set; "": the smallest scale of each experiment
	sets   []string // settings that %set has made, which change every experiment
	cells  map[string]*lang.File
	cell   int // number of the cell that was executed last
	last   results
}

// results holds the results of the last executed cell that had results.
type results struct {
	cell     int        // number of the cell
	name     string     // name of its experiment
	older    bool       // whether a later cell with an experiment has failed and given no results
	set      *trace.Set // nil if no cell had results yet
	show     func(out protocol.Output)
	pictures func() []picture
}

// previous is a name by which specs can refer to the experiment of the last cell that had an experiment.
const previous = "previous"

var _ protocol.Kernel = (*Kernel)(nil)

// New returns a new session.
func New(host Host) (*Kernel, error) {
	parser, err := lang.NewParser(harness.Catalogue())
	if err != nil {
		return nil, err
	}
	return &Kernel{host: host, parser: parser, cells: map[string]*lang.File{}}, nil
}

// Info implements protocol.Kernel.
func (k *Kernel) Info() protocol.Info {
	return protocol.Info{Name: "gaplab", Version: k.host.Version,
		Language: protocol.Language{Name: "gaplab", Version: lang.Version, MIMEType: "text/x-yaml", Extension: ".yaml",
			Pygments: "yaml", Mirror: "yaml"},
		Banner: "gaplab: a cell is an experiment in YAML; = begins an expression over its results, % a verb; %help"}
}

// Execute implements protocol.Kernel.
func (k *Kernel) Execute(ctx context.Context, code string, out protocol.Output) error {
	k.cell++
	text := uncommented(code)
	var err error
	switch {
	case text == "":
		return nil
	case text[0] == '=':
		err = k.evaluate(strings.TrimSpace(text[1:]), out)
	case text[0] == '%':
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if err = k.verb(ctx, line, out); err != nil {
				break
			}
		}
	default:
		if hint := k.unmarked(text); hint != "" {
			return shown(errors.New(hint), code)
		}
		err = k.orOlder(k.experiment(ctx, code, out))
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		if errors.Is(err, cause) {
			return err
		}
		return cause
	}
	return shown(err, code)
}

// orOlder marks the last results as older than a failed experiment, if err is not nil and the cell has no results of
// its own. It returns err.
func (k *Kernel) orOlder(err error) error {
	k.last.older = k.last.older || err != nil && k.last.cell != k.cell
	return err
}

// uncommented returns a cell without the comment lines at its beginning.
func uncommented(code string) string {
	text := strings.TrimSpace(code)
	for strings.HasPrefix(text, "#") {
		_, rest, _ := strings.Cut(text, "\n")
		text = strings.TrimSpace(rest)
	}
	return text
}

// unmarked returns what to write if a cell is an expression without = or a verb without %. Otherwise it returns "".
func (k *Kernel) unmarked(text string) string {
	if strings.Contains(text, "\n") {
		return ""
	}
	verb, _, _ := strings.Cut(text, " ")
	if slices.Contains(slices.Concat(own(), k.host.Verbs), verb) {
		return "a verb begins with %; write: %" + text
	}
	if strings.ContainsAny(text, "(+*/") && expr.Check("axis", text) == nil {
		return "an expression begins with =; write: = " + text
	}
	return ""
}

// experiment runs the spec of a cell and shows the results.
func (k *Kernel) experiment(ctx context.Context, code string, out protocol.Output) error {
	c, err := editor.ParseCell(k.parser, "cell", fmt.Sprintf("cell-%d", k.cell), []byte(code), k.base)
	if err != nil {
		return err
	}
	k.cells[previous] = c.File
	if c.Named {
		k.cells[c.Name] = c.File
	}
	if len(c.Explore) > 0 {
		return k.explore(ctx, c, out)
	}
	s, err := k.at(c.File, nil, out)
	if err != nil {
		return err
	}
	return k.runSpec(ctx, s, out)
}

// base returns the experiment with a name: an earlier cell, an experiment of gaplab, or a file.
func (k *Kernel) base(name string) (*lang.File, error) {
	if f := k.cells[name]; f != nil {
		return f, nil
	}
	if err := inside(name); err != nil {
		return nil, err
	}
	if list, err := harness.Select(name); err == nil && len(list) == 1 {
		return list[0].File, nil
	}
	if name == previous {
		return nil, errors.New("no cell with an experiment has been executed yet; name an experiment, such as eg/fig06")
	}
	known := k.names()
	return nil, fmt.Errorf("no cell %q%s; accepted: %s, or an experiment such as eg/fig06", name,
		nearest.DidYouMean(name, known), strings.Join(known, ", "))
}

// names returns the names of the cells that were executed.
func (k *Kernel) names() []string {
	out := slices.Sorted(maps.Keys(k.cells))
	if !slices.Contains(out, previous) {
		out = append(out, previous)
	}
	return out
}

// at returns the spec of an experiment with two groups of settings: first those of the session, then those in more. It
// uses the session's scale if the experiment has it, and the smallest scale otherwise.
func (k *Kernel) at(f *lang.File, more []string, out protocol.Output) (*lang.Spec, error) {
	offered := f.Scales()
	scale := offered[0]
	switch {
	case slices.Contains(offered, k.scale):
		scale = k.scale
	case k.scale != "" && scale != lang.ScaleOwn:
		out.Print(fmt.Sprintf("note: %s has no scale %s; it runs at scale %s\n", f.ID, k.scale, scale))
	}
	s, err := f.At(scale, slices.Concat(k.sets, more))
	if err != nil && len(k.sets) > 0 {
		if _, without := f.At(scale, more); without == nil {
			return nil, &settingsError{err}
		}
	}
	return s, err
}

// runSpec plans an experiment and runs it.
func (k *Kernel) runSpec(ctx context.Context, s *lang.Spec, out protocol.Output) error {
	p, err := harness.NewPlan(s, k.host.Options)
	if err != nil {
		return err
	}
	return k.run(ctx, p, out)
}

// run makes the runs of a plan that have no result yet, and shows the results.
func (k *Kernel) run(ctx context.Context, plan *harness.Plan, out protocol.Output) error {
	if err := untouched(plan); err != nil {
		return err
	}
	p := newProgress(out, plan.Spec.ID)
	defer p.close()
	plan.Options.Event = p.event
	r, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	p.close()
	k.last = results{cell: k.cell, name: strings.TrimPrefix(r.Spec.ID, "notebook/"), set: r.Set}
	k.last.show = func(out protocol.Output) { show(r, out) }
	k.last.pictures = func() []picture {
		if f, err := r.Figure(); err == nil {
			return []picture{{figure: f}}
		}
		return nil
	}
	show(r, out)
	return failed(ctx, r)
}

// failed returns the error of a cell if some of its runs failed or were interrupted. The cell shows its results
// nevertheless.
func failed(ctx context.Context, r *harness.Result) error {
	if failed := r.Failed(); len(failed) > 0 {
		return errors.New(strings.Join(failed, "\n"))
	}
	if cause := context.Cause(ctx); cause != nil {
		ended := 0
		for _, f := range r.Files {
			if f.Status() != trace.Interrupted {
				ended++
			}
		}
		return fmt.Errorf("%w: %d of %d runs have ended and are kept; execute the cell again to make the others", cause,
			ended, r.Planned)
	}
	return nil
}
