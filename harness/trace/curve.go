package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Curve is the rows of one run as columns; of a path run, those of one stage.
type Curve struct {
	// Labels tell curves apart: the manifest's and the end line's, and status and scale. For a stage of a path, C
	// and lambda are the stage's, and stage is its index. Numbers are float64, whole or not.
	Labels map[string]any
	// Columns have one length; a NaN where a row lacks the column.
	Columns map[string][]float64
	Status  Status // of the stage: done if another stage followed
	Why     string // what ended it, if anything did
	Rule    string // the stop rule that was met (End.Rule); empty if that is not known
	Stage   int    // index of the stage of a path run, else −1
	Doubt   string // why the optimum is not known well, which derived columns inherit; else empty
	File    *File
}

// Len is the number of records.
func (c *Curve) Len() int {
	for _, values := range c.Columns {
		return len(values)
	}
	return 0
}

// Has says whether some record has the column.
func (c *Curve) Has(column string) bool {
	_, ok := c.Columns[column]
	return ok
}

// Final is the value in the last record that has the column; NaN if none has.
func (c *Curve) Final(column string) float64 {
	return c.At(column, math.Inf(1))
}

// At is the value in the last record with passes ≤ x that has the column: a step function, as nothing is known
// between records. NaN if there is none.
func (c *Curve) At(column string, x float64) float64 {
	passes, values := c.Columns[Passes], c.Columns[column]
	for i := len(values) - 1; i >= 0; i-- {
		if i < len(passes) && passes[i] <= x && !math.IsNaN(values[i]) {
			return values[i]
		}
	}
	return math.NaN()
}

// Cut says whether more passes could have changed the curve: what ended it was a limit, not convergence.
func (c *Curve) Cut() bool {
	if c.Status != Done {
		return true
	}
	return c.Rule == "passes" || c.Rule == "epochs" || c.Rule == "seconds"
}

// Chosen is false for the curves that a choice over a parameter dropped.
func (c *Curve) Chosen() bool {
	chosen, ok := c.Labels["chosen"].(bool)
	return chosen || !ok
}

// Describe names the curve by the given labels, such as "as=eg, C=10"; labels that it does not have are left out.
func (c *Curve) Describe(labels []string) string {
	var parts []string
	for _, name := range labels {
		if v, ok := c.Labels[name]; ok {
			parts = append(parts, name+"="+FormatLabel(v))
		}
	}
	return strings.Join(parts, ", ")
}

// FormatLabel prints a label as a reader writes it: 1000, 0.01, 1e+07, eg.
func FormatLabel(v any) string {
	if f, ok := v.(float64); ok {
		if a := math.Abs(f); a == 0 || a >= 1e-4 && a < 1e7 {
			if math.Round(f) == f {
				return strconv.FormatFloat(f, 'f', -1, 64)
			}
			return strconv.FormatFloat(f, 'g', 6, 64)
		}
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// ColumnNames lists the columns of the curve: the standard ones in their own order, then the others by name.
func (c *Curve) ColumnNames() []string {
	return ordered(maps.Keys(c.Columns), standardColumns())
}

// Always lists the columns that a curve of any run may have: without those of its model and solver, and without what is
// evaluated only where it is asked for.
func Always() []string {
	return slices.DeleteFunc(standardColumns(), func(name string) bool {
		return name == Dual || name == Gap || name == GapPercent
	})
}

func standardColumns() []string {
	return []string{Passes, Epoch, StagePasses, MaxCalls, ExpCalls, SumCalls, SlackCalls, SecondCalls, SetupCalls,
		Seconds, CPUSeconds, DataCPUSeconds, PeakBytes, C, Lambda, Stage, Primal, Dual, Gap, Opt, OptLow, GapPercent,
		ExcessPercent}
}

func standardLabels() []string {
	return []string{"as", "solver", "dataset", "model", "loss", "n", C, Lambda, Stage, "seed", "fold", "scale", "status"}
}

// ordered sorts names: those of first in the order of first, then the rest by name.
func ordered(names func(func(string) bool), first []string) []string {
	rank := func(name string) int {
		if i := slices.Index(first, name); i >= 0 {
			return i
		}
		return len(first)
	}
	return slices.SortedFunc(names, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}
