// Package kernel is a Jupyter kernel whose language is the experiment: a cell is a spec, an expression over results, or
// a verb. The harness does the work; what is here turns cells into calls and results into what a notebook shows.
//
//	err := protocol.Serve(ctx, connection, kernel.New(kernel.Host{Version: "1.0", Verb: run}))
package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/nearest"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// Host is what the kernel is given by the program that it is part of.
type Host struct {
	Version string
	// Verbs are the names of the command line's verbs that a cell may use, and Verb carries a command line out.
	Verbs []string
	Verb  func(ctx context.Context, args []string, out, err io.Writer) error
	// Options are those of all runs, such as where results are.
	Options []harness.Option
}

// Kernel is one session.
type Kernel struct {
	host   Host
	parser *lang.Parser
	scale  string   // "" is the smallest that an experiment has
	set    []string // settings laid over every experiment
	cells  map[string]*lang.File
	cell   int             // number of the one that is executed
	last   *harness.Result // of the last cell that had one
}

// previous is the name of the experiment of the cell before.
const previous = "previous"

var _ protocol.Kernel = (*Kernel)(nil)

// New is a session. An error is one of the catalogue.
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
	text := strings.TrimSpace(code)
	var err error
	switch {
	case text == "":
		return nil
	case text[0] == '=':
		err = k.evaluate(strings.TrimSpace(text[1:]), out)
	case text[0] == '%':
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if err = k.verb(ctx, line, out); err != nil {
				break
			}
		}
	default:
		err = k.experiment(ctx, code, out)
	}
	if err != nil && context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	return shown(err, code)
}

// experiment runs the spec of a cell and shows what it gives.
func (k *Kernel) experiment(ctx context.Context, code string, out protocol.Output) error {
	c, err := k.parser.ParseCell("cell", fmt.Sprintf("cell-%d", k.cell), []byte(code), k.base)
	if err != nil {
		return err
	}
	k.cells[c.Name], k.cells[previous] = c.File, c.File
	s, err := k.at(c.File)
	if err != nil {
		return err
	}
	return k.run(ctx, s, out)
}

// base is the experiment of an earlier cell, or one that comes with gaplab.
func (k *Kernel) base(name string) (*lang.File, error) {
	if f := k.cells[name]; f != nil {
		return f, nil
	}
	if e, err := harness.Find(name); err == nil {
		return e.File, nil
	}
	var known []string
	for n := range k.cells {
		known = append(known, n)
	}
	slices.Sort(known)
	return nil, fmt.Errorf("no cell %q%s; accepted: %s, or an experiment such as eg/fig06", name,
		nearest.DidYouMean(name, known), strings.Join(append(known, previous), ", "))
}

// at is an experiment at the session's scale, or at its smallest, with the session's settings.
func (k *Kernel) at(f *lang.File) (*lang.Spec, error) {
	scale := k.scale
	if offered := f.Scales(); scale == "" {
		scale = offered[0]
	}
	return f.At(scale, k.set)
}

// run runs an experiment, with progress in one display, and shows its results.
func (k *Kernel) run(ctx context.Context, s *lang.Spec, out protocol.Output) error {
	p := newProgress(out, s.ID)
	options := append([]harness.Option{harness.Workers(runtime.GOMAXPROCS(0)), harness.OnEvent(p.event)},
		k.host.Options...)
	r, err := harness.Run(ctx, s, options...)
	p.close()
	if err != nil {
		return err
	}
	k.last = r
	show(r, out)
	if failed := r.Failed(); len(failed) > 0 {
		return errors.New(strings.Join(failed, "\n"))
	}
	return context.Cause(ctx)
}
