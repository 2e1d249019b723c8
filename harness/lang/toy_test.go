package lang

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

type toyCounts struct {
	// training examples
	Train      int    `yaml:"train" jsonschema:"minimum=1"`
	Validation int    `yaml:"validation" jsonschema:"minimum=0"`
	Seed       uint64 `yaml:"seed"`
}

type toySized struct {
	N int `yaml:"n" jsonschema:"minimum=1,maximum=522911"`
}

type toyFile struct {
	// training file
	Path     string  `yaml:"path" jsonschema:"required,minLength=1"`
	Fraction float64 `yaml:"validation_fraction" jsonschema:"minimum=0,exclusiveMaximum=1"`
}

type toyModel struct {
	Bias bool `yaml:"bias"`
}

type toyEG struct {
	// initial rate
	Eta   float64   `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
	Order string    `yaml:"order" jsonschema:"enum=random,enum=cyclic,enum=batch"`
	Rates []float64 `yaml:"rates" jsonschema:"exclusiveMinimum=0"`
	Step  struct {
		Shrink float64 `yaml:"shrink" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
	} `yaml:"step"`
	Seed uint64 `yaml:"-"`
}

// Validate returns an error for a rate above 1 with the order batch.
func (e *toyEG) Validate() error {
	if e.Order == "batch" && e.Eta > 1 {
		return errors.New("eta: order batch needs eta ≤ 1")
	}
	return nil
}

type toySGD struct {
	Eta0 float64 `yaml:"eta0" jsonschema:"exclusiveMinimum=0"`
	Seed uint64  `yaml:"seed"`
}

type toySlack struct {
	Eps   float64 `yaml:"eps" jsonschema:"exclusiveMinimum=0"`
	Cache int     `yaml:"cache" jsonschema:"minimum=0"`
}

type toyNone struct{}

// toy returns a small catalogue for tests: data sets, models and solvers that have settings but no code to run.
func toy() Catalogue {
	return Catalogue{Describe: schema.Comments(os.DirFS("."), reflect.TypeFor[toyEG]().PkgPath()),
		Datasets: []Entry{
			{Name: "digits", About: "generated digits",
				New: func() any { return &toyCounts{Train: 1000, Validation: 500, Seed: 1} }},
			{Name: "mnist", About: "digits", New: func() any { return &toyCounts{Train: 59000, Validation: 10000} }},
			{Name: "covertype", New: func() any { return &toySized{N: 522911} }},
			{Name: "libsvm", Format: true, New: func() any { return &toyFile{} }},
		},
		Models: []Entry{
			{Name: "multiclass", New: func() any { return &toyModel{} }, Losses: []string{"log", "hinge"},
				Metrics: []string{"validation_error"}},
			{Name: "bayesnet", New: func() any { return &toyModel{} }},
		},
		Solvers: []Entry{
			{Name: "eg", About: "exponentiated gradient", New: func() any { return &toyEG{Eta: 0.5, Order: "random"} }},
			{Name: "sgd", New: func() any { return &toySGD{Eta0: 0.1} }},
			{Name: "lbfgs", New: func() any { return &toyNone{} }},
			{Name: "one-slack", New: func() any { return &toySlack{Eps: 0.1} }},
		},
		CheckExpr: func(kind, expr string) error {
			if strings.Count(expr, "(") != strings.Count(expr, ")") {
				return fmt.Errorf("%s: parentheses do not match", kind)
			}
			return nil
		},
	}
}

// toyParser returns the same parser for all tests, because with the race detector it takes half a second to compile the
// schemas of the catalogue toy.
func toyParser(t testing.TB) *Parser {
	t.Helper()
	p, err := onlyParser()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var onlyParser = sync.OnceValues(func() (*Parser, error) { return NewParser(toy()) })
