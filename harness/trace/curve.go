package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Curve contains the rows of one run, or of one stage of a path run, as columns.
type Curve struct {
	// Labels distinguish curves. They are the labels of the manifest and of the end line, and in addition status and
	// scale. For a stage of a path, the labels C and lambda have the values of the stage, and the label stage is its
	// index. All numbers are float64, even whole ones.
	Labels map[string]any
	// Columns all have the same length, the number of rows. A value is NaN if its row does not have the column.
	Columns map[string][]float64
	Status  Status // status of the run; for a stage of a path: done if another stage followed
	Why     string // why the run ended (End.Why); empty if the run has not ended
	Rule    string // the stop rule that ended the run (End.Rule); empty if there is none, or it is not known
	Stage   int    // index of the stage of a path run, else −1
	Doubt   string // why the optimum, and so each derived column, is uncertain; empty if the optimum is certain
	File    *File
	Repeats []*Curve // the curves of all repetitions of the run, if it was repeated; the first is the run of File
}

// Len returns the number of rows.
func (c *Curve) Len() int {
	for _, values := range c.Columns {
		return len(values)
	}
	return 0
}

// Has reports whether some row has the column.
func (c *Curve) Has(column string) bool {
	_, ok := c.Columns[column]
	return ok
}

// Final returns the value of a column in the last row that has the column, or NaN if no row has it.
func (c *Curve) Final(column string) float64 {
	return c.At(column, math.Inf(1))
}

// At returns the value of a column in the last row with passes ≤ x that has the column, or NaN if there is no such row.
// As a function of x it is a step function, since values between rows are not known.
func (c *Curve) At(column string, x float64) float64 {
	passes, values := c.Columns[Passes], c.Columns[column]
	for i := len(values) - 1; i >= 0; i-- {
		if i < len(passes) && passes[i] <= x && !math.IsNaN(values[i]) {
			return values[i]
		}
	}
	return math.NaN()
}

// Cut reports whether more passes could have changed the curve: the status is not done, or a rule on passes, epochs or
// seconds ended the run.
func (c *Curve) Cut() bool {
	if c.Status != Done {
		return true
	}
	return c.Rule == "passes" || c.Rule == "epochs" || c.Rule == "seconds"
}

// Chosen reports whether the run was selected when lang.Choose compared it with others. It returns true if the run was
// not compared.
func (c *Curve) Chosen() bool {
	chosen, ok := c.Labels["chosen"].(bool)
	return chosen || !ok
}

// Describe returns the given labels of the curve as text, such as "as=eg, C=10". It skips labels that the curve lacks.
func (c *Curve) Describe(labels []string) string {
	var parts []string
	for _, name := range labels {
		if v, ok := c.Labels[name]; ok {
			parts = append(parts, name+"="+FormatLabel(v))
		}
	}
	return strings.Join(parts, ", ")
}

// FormatLabel returns a label as text in its usual form: 1000, 0.01, 1e+07, eg.
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

// ColumnNames lists the columns of the curve: first the standard columns in a fixed order, then the others in
// alphabetical order.
func (c *Curve) ColumnNames() []string {
	return ordered(maps.Keys(c.Columns), standardColumns())
}

// Always lists the standard columns that a curve of any run may have. The list does not include columns of the model
// and the solver. It also does not include dual, gap and gap_percent, which are evaluated only if the spec records them
// or its stop rule needs them.
func Always() []string {
	return slices.DeleteFunc(standardColumns(), func(name string) bool {
		return name == Dual || name == Gap || name == GapPercent
	})
}

func standardColumns() []string {
	return []string{Passes, Epoch, StagePasses, MaxCalls, ExpCalls, SumCalls, SlackCalls, SecondCalls, SetupCalls,
		Seconds, CPUSeconds, DataCPUSeconds, ArithmeticCPUSeconds, MemoryCPUSeconds, PeakBytes, C, Lambda, Stage, Primal,
		Dual, Gap, Opt, OptLow, GapPercent, ExcessPercent}
}

func standardLabels() []string {
	return []string{"as", "solver", "dataset", "model", "loss", "n", C, Lambda, Stage, "seed", "fold", Repetition, "scale",
		"status"}
}

// ordered sorts names. The names in the slice "first" come first, in the order of that slice. The other names follow in
// alphabetical order.
func ordered(names func(func(string) bool), first []string) []string {
	sorted := slices.Sorted(names)
	out := make([]string, 0, len(sorted))
	for _, name := range first {
		if _, ok := slices.BinarySearch(sorted, name); ok {
			out = append(out, name)
		}
	}
	for _, name := range sorted {
		if !slices.Contains(first, name) {
			out = append(out, name)
		}
	}
	return out
}
