package harness

import (
	"sync"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/internal/source"
)

// ownSources returns an index of the program's own sources, which computes a hash for each package.
var ownSources = sync.OnceValue(func() *source.Index { return source.New(gaplab.Sources, gaplab.Module) })

// ownProgram returns a single hash of all sources of the program, without tests.
var ownProgram = sync.OnceValue(func() string { return source.All(gaplab.Sources) })

// Catalogue returns the lists of data sets, models and solvers that specs may name.
func Catalogue() lang.Catalogue {
	c := lang.Catalogue{CheckExpr: expr.Check, Describe: schema.Comments(gaplab.Sources, gaplab.Module),
		Rows: record.Component(), Sources: func(pkg string) string { return ownSources().Hash(pkg) },
		Program: ownProgram}
	for _, e := range catalogue.DataSets() {
		c.Datasets = append(c.Datasets, lang.Entry{Name: e.Name, About: e.About, Revision: e.Revision, Format: e.Format,
			New: func() any { return e.New() }})
	}
	for _, e := range catalogue.Models() {
		noun := lang.Entry{Name: e.Name, About: e.About, Revision: e.Revision, Losses: e.Losses, Free: e.Free,
			Metrics: e.Metrics, Larger: e.Larger, Columns: append([]string{}, e.Facts...), New: func() any { return e.New() }}
		if e.Keyed != nil {
			noun.Keyed = func() any { return e.Keyed() }
		}
		c.Models = append(c.Models, noun)
	}
	for _, e := range catalogue.Solvers() {
		c.Solvers = append(c.Solvers, lang.Entry{Name: e.Name, About: e.About, Revision: e.Revision, Outside: e.Outside,
			Columns: append([]string{}, e.Columns...), New: func() any { return e.New() }})
	}
	c.Solvers = append(c.Solvers, lang.Entry{Name: catalogue.AutoName, About: catalogue.AutoAbout,
		New: func() any { return &struct{}{} }, Select: automatic})
	return c
}

// automatic selects a solver by model and loss, for specs whose solver has the name "auto".
func automatic(model, loss string) (lang.Selection, error) {
	c, err := catalogue.Auto(model, loss)
	return lang.Selection{Solver: c.Solver, Settings: c.Settings, Why: c.Why}, err
}
