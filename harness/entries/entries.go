// Package entries converts the lists of package catalogue to entries of the language, for programs that need only the
// names and settings: package harness adds hashes of sources, descriptions and checks of expressions.
package entries

import (
	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/lang"
)

// All returns a catalogue with the data sets, models and solvers that specs may name. Its other fields are not set.
func All() lang.Catalogue {
	var c lang.Catalogue
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
