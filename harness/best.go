package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// ErrNoBest is wrapped by an error that explains why an experiment has no best run, and how to choose one.
var ErrNoBest = errors.New("no best run")

// ErrNoWeights is wrapped by an error of BestWeights: the best run has no saved weights.
var ErrNoWeights = errors.New("no saved weights")

// Choice is a comparison of ended runs by a rule of the spec (choose).
type Choice struct {
	choice.Verdict
	Group string
	File  *trace.File // run that was chosen; nil if nothing is decided, or if that run is missing
}

// Choices returns the comparisons of ended runs by the rules of the spec, in the order of the plan. It leaves out rules
// that compare runs at an earlier point (key at of choose).
func (r *Result) Choices() (out []Choice) {
	for _, group := range choice.Groups(r.entrants) {
		if group[0].Early() {
			continue
		}
		c := Choice{Verdict: choice.Decide(group), Group: group[0].Choose.Group}
		for _, e := range group {
			if c.State == choice.Decided && c.File == nil && !e.Screen() && choice.Value(e.Run) == c.Value {
				c.File = e.File
			}
		}
		out = append(out, c)
	}
	return out
}

// Describe returns a line about the choice: the chosen setting, the column by which runs were compared, and the value
// of this column.
func (c Choice) Describe() string {
	switch c.State {
	case choice.Undecided:
		return fmt.Sprintf("%s: not decided, because runs are missing", strings.Join(c.Rule.Over, ", "))
	case choice.Nobody:
		return fmt.Sprintf("nothing is chosen, because for each value of %s some run has no %s",
			strings.Join(c.Rule.Over, ", "), c.Rule.By)
	}
	text := c.Verdict.Describe()
	if c.Value != c.Top {
		text += fmt.Sprintf(" (the strongest regularisation within one standard error of %s)", choice.Named(c.Rule, c.Top))
	}
	name, amount := strings.ReplaceAll(c.Rule.By, "_", " "), quantity(c.Rule.By)
	name = strings.NewReplacer(" f1", " F1").Replace(name)
	if c.Rule.Folds == 0 {
		return fmt.Sprintf("%s, %s %s", text, name, amount(c.Mean))
	}
	return fmt.Sprintf("%s, mean %s of %d folds %s, standard error %s", text, name, c.Rule.Folds, amount(c.Mean),
		amount(c.Error))
}

// quantity returns the function that formats the values of a column: shares in percent, other values as numbers.
func quantity(column string) func(float64) string {
	for _, share := range []string{"error", "f1", "accuracy", "accuracy_words", "certified"} {
		if strings.HasSuffix(column, "_"+share) {
			return func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
		}
	}
	return func(v float64) string { return fmt.Sprintf("%.6g", v) }
}

// Best returns the run whose weights are the result of the experiment: the run that its rule choose chose, or its only
// run. If there are several such runs, or no such run, or if the run is missing, it returns an ErrNoBest.
func (r *Result) Best() (*trace.File, error) {
	runs := make([]lang.Run, len(r.entrants))
	for i, e := range r.entrants {
		runs[i] = e.Run
	}
	if err := oneBest(r.Spec.ID, runs, r.reader.schedule.Catalogue); err != nil {
		return nil, err
	}
	if list := r.Choices(); len(list) > 0 {
		if list[0].File == nil {
			why := list[0].Describe()
			if list[0].State == choice.Decided {
				why = fmt.Sprintf("the run with %s is missing; make it with `%s`", list[0].Verdict.Describe(), r.Command())
			}
			return nil, fmt.Errorf("%s: %w: %s", r.Spec.ID, ErrNoBest, why)
		}
		return list[0].File, nil
	}
	bases := basesOf(runs)
	for _, e := range r.entrants {
		if !bases[origin.PlanKey(e.Run)] && e.File != nil && (e.File.End == nil || e.File.End.Labels["chosen"] != false) {
			return e.File, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: the run is missing; make it with `%s`", r.Spec.ID, ErrNoBest, r.Command())
}

// OneBest returns an ErrNoBest if no results of the plan could have one best run: no rule chooses among its runs, or
// there are several groups of runs, each with a best run of its own.
func (p *Plan) OneBest() error { return oneBest(p.Spec.ID, p.Runs, p.Options.Catalogue) }

// oneBest returns an ErrNoBest if the runs of a plan cannot have one best run.
func oneBest(id string, runs []lang.Run, list lang.Catalogue) error {
	var groups, separate []string
	bases := basesOf(runs)
	for i, r := range runs {
		switch {
		case r.Choose != nil && !r.Early() && !slices.Contains(groups, r.Choose.Group):
			groups = append(groups, r.Choose.Group)
		case bases[origin.PlanKey(r)] || r.Choose != nil && !r.Early():
		case r.Choose == nil:
			separate = append(separate, fmt.Sprint(i))
		case !slices.Contains(separate, r.Choose.Group):
			separate = append(separate, r.Choose.Group)
		}
	}
	switch {
	case len(groups) == 1 || len(groups) == 0 && len(separate) == 1:
		return nil
	case len(groups) > 1:
		return fmt.Errorf("%s: %w: choose compares runs in %d groups, each with a best run: %s; let all runs compete by "+
			"adding per: [] to choose, or name more settings in its key over", id, ErrNoBest, len(groups),
			strings.Join(shortened(groups), "; "))
	case len(runs) == 0:
		return fmt.Errorf("%s: %w: there are no runs", id, ErrNoBest)
	}
	return fmt.Errorf("%s: %w: it has %d runs, and no rule chooses among them; add a rule such as choose: {over: %s, by: "+
		"%s}, or change the spec to one run", id, ErrNoBest, len(separate), differing(runs), metricOf(runs[0], list))
}

// basesOf returns the plan keys of the runs whose weights are the initial weights of other runs.
func basesOf(runs []lang.Run) map[string]bool {
	bases := map[string]bool{}
	for _, r := range runs {
		if r.Base != nil {
			bases[origin.PlanKey(*r.Base)] = true
		}
	}
	return bases
}

// differing returns the labels in which runs differ, as a value of the key over. It leaves out labels over which a rule
// cannot choose.
func differing(runs []lang.Run) string {
	var names []string
	for name, v := range runs[0].Labels {
		if slices.Contains([]string{"solver", "seed", "problem", "n", "fold"}, name) {
			continue
		}
		if slices.ContainsFunc(runs, func(r lang.Run) bool { return r.Labels[name] != v }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	switch len(names) {
	case 0:
		return "lambda"
	case 1:
		return names[0]
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// metricOf returns a metric of the model of a run.
func metricOf(r lang.Run, list lang.Catalogue) string {
	if m, ok := list.Model(r.Model); ok && len(m.Metrics) > 0 {
		return m.Metrics[0]
	}
	return trace.Primal
}

// shortened returns the first texts of a list, and the number of those that it leaves out.
func shortened(list []string) []string {
	const most = 4
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
}

// BestWeights returns the path of the file with the weights of the best run (see Best).
func (r *Result) BestWeights() (string, error) {
	f, err := r.Best()
	if err != nil {
		return "", err
	}
	if !store.HasWeights(f, false) {
		why := ""
		switch {
		case f.End == nil || f.Status() == trace.Interrupted:
			why = "it was interrupted; "
		case f.Status() == trace.Failed || f.Status() == trace.Diverged || f.Status() == trace.Unsupported:
			why = fmt.Sprintf("it is %s: %s; ", f.Status(), f.End.Why)
		}
		return "", fmt.Errorf("%s: %w of its best run; %ssave them with `%s --save-weights`", r.Spec.ID, ErrNoWeights, why,
			r.Command())
	}
	return store.WeightsPath(f), nil
}
