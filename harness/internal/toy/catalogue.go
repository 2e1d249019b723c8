// Package toy provides a catalogue with a few small components: generated points, a linear classifier, and solvers with
// and without dual variables. It is for tests of the harness that need any data set, model and solver. Such tests need
// not run again when one of the project's real components changes.
//
//	r := toy.Text(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
//	toy.WantStatus(t, toy.Only(t, r), trace.Done, "passes")
package toy

import (
	"reflect"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/models"
)

// Catalogue returns the data sets, models and solvers that specs of this package can name.
func Catalogue() lang.Catalogue {
	return lang.Catalogue{
		Datasets: []lang.Entry{
			{Name: "points", Revision: 1, New: func() any { return &Points{Train: 60, Validation: 40, Seed: 1} }},
			{Name: "absent", Revision: 1, New: func() any { return &Absent{} }},
			{Name: "rows", Format: true, Revision: 1, New: func() any { return &File{} }},
		},
		Models: []lang.Entry{
			{Name: "classifier", Revision: 1, Losses: []string{"log", "hinge"}, Metrics: []string{"validation_error"},
				New: func() any { return &Classifier{} }},
			{Name: "again", Revision: 1, Losses: []string{"log", "hinge"}, New: func() any { return &models.Same{} }},
			{Name: "shifted", Revision: 1, Losses: []string{"log", "hinge"}, Metrics: []string{"validation_error"},
				New: func() any { return &Shifted{} }},
		},
		Solvers: []lang.Entry{
			{Name: "ascent", Revision: 1, New: func() any { return &Ascent{Rate: 1, Order: "random"} }},
			{Name: "descent", Revision: 1, New: func() any { return &Descent{} }},
			{Name: "whole", Revision: 1, New: func() any { return &Whole{} }},
			{Name: "still", Revision: 1, New: func() any { return &Still{} }},
		},
		CheckExpr: expr.Check,
		Describe:  func(reflect.Type, string) string { return "" },
		Rows:      record.Component(),
		Sources:   func(pkg string) string { return "sources of " + pkg },
	}
}
