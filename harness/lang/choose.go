package lang

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"
)

// Choose compares runs that differ in the values of the labels Over, such as lambda or a step size. Runs that agree in
// all labels of Per form a group. Within a group, the value of Over whose runs have the best value of the column By
// wins. If a group has several runs with one value of Over (seeds, folds), the mean of By over these runs is compared.
//
// With the key At, runs are compared at that point, before they end, and only the best continue. The runs that do not
// win stop at the point At; their rows are stored too. Without At, runs are compared when they have ended, each by the
// row that Keep selects or, without Keep, by its last row.
//
// With Folds, each run is made once for each fold, and the value that wins is trained once more, on all data. The
// stages of a solver with a path (warm start) are compared as if they were separate runs; the value that wins is then
// trained once more, from the usual start.
type Choose struct {
	// the solver whose runs are compared: its key "as", or its name; default: the runs of all solvers, each solver with
	// its own winner
	Solver string `yaml:"solver"`
	// the setting whose values compete: lambda, C, or a key with a grid in dataset, model or the solver; several settings
	// as a list
	Over Strings `yaml:"over" jsonschema:"required"`
	// column by which runs are compared
	By string `yaml:"by" jsonschema:"required"`
	// whether the smallest or the largest value of the column is best; default: max for scores such as validation_f1, else
	// min
	Best string `yaml:"best" jsonschema:"enum=min,enum=max"`
	// column that breaks ties; the smallest value wins. Default: primal if the key "at" is given; else the strongest
	// regularisation wins, then the first value in the spec
	Ties string `yaml:"ties"`
	// compare the runs at this point, before they stop, and continue only the best; default: compare them when they have
	// ended
	At At `yaml:"at"`
	// runs compete only if they agree in these labels; default: all labels but those in over; []: all runs compete
	Per []string `yaml:"per"`
	// number of parts into which the training data are split. Each run is made once for each part: it is trained without
	// the part, and the column is measured on the part. The mean over the parts is compared, and the best value is trained
	// on all data
	Folds int `yaml:"folds" jsonschema:"minimum=2,maximum=1000"`
	// choose the strongest regularisation whose mean over the folds is within one standard error of the best; over must be
	// lambda or C
	OneSE bool `yaml:"one_se"`
	Line  int  `yaml:"-"`
}

// UnmarshalYAML decodes the node and stores its line number.
func (c *Choose) UnmarshalYAML(n *yaml.Node) error {
	type plain Choose
	c.Line = n.Line
	return n.Decode((*plain)(c))
}

// Early reports whether the runs are compared before they end.
func (c Choose) Early() bool { return c.At != At{} }

// implied lists the labels that may differ between competing runs: those in Over, and "solver" if Over contains "as".
func (c Choose) implied() []string {
	if slices.Contains(c.Over, "as") {
		return append(slices.Clone([]string(c.Over)), "solver")
	}
	return c.Over
}

// OfRegularisation reports whether the rule compares values of C or λ, and of no other setting.
func (c Choose) OfRegularisation() bool {
	return len(c.Over) == 1 && (c.Over[0] == "C" || c.Over[0] == "lambda")
}

// Choices is a list of rules. A spec may give one rule in place of the list.
type Choices []Choose

// UnmarshalYAML accepts a rule or a list of rules.
func (c *Choices) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]Choose)(c))
	}
	*c = make(Choices, 1)
	return n.Decode(&(*c)[0])
}

// JSONSchemaExtend changes list, the schema of a list of rules, into a schema that also accepts a single rule.
func (Choices) JSONSchemaExtend(list *invopop.Schema) {
	of := *list
	*list = invopop.Schema{If: &invopop.Schema{Type: "array"}, Then: &of, Else: of.Items}
}

// At is a point of a run, in passes or in epochs. At most one field is set; the zero value is the end of the run.
type At struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
}

// Candidate marks a run that a rule compares with others, or that is made only if its value wins.
type Candidate struct {
	Rule  Choose // the rule, with its defaults filled in
	Group string // name of the group within which runs compete, such as "sgd: C=10 seed=1"
	// Final marks a run that is not compared: it is made only if its value of the labels Rule.Over wins.
	Final bool
}

// Stages reports whether run r has a path through several values of C or λ, and the rule compares these values.
func (c *Candidate) Stages(r Run) bool {
	return r.Solver.Path != nil && slices.Contains(c.Rule.Over, r.Convention.key())
}

// Screen reports whether the run serves only for comparison: another run trains once more with the value that wins.
func (r Run) Screen() bool {
	c := r.Choose
	return c != nil && !c.Final && !r.Early() && (c.Rule.Folds > 0 || c.Stages(r))
}

// compete marks the runs that the rule c compares: it sets their field Choose. It returns all runs. With folds, it
// replaces each compared run by one run for each fold. The final runs that the rule adds come last.
func compete(runs []Run, c Choose) []Run {
	if c.Early() {
		c.Ties = cmp.Or(c.Ties, "primal")
	}
	c.Best = cmp.Or(c.Best, "min")
	var out, finals []Run
	for _, r := range runs {
		if c.Solver != "" && r.Solver.As != c.Solver {
			out = append(out, r)
			continue
		}
		rule := c
		if rule.Per == nil {
			rule.Per = labelNames(r, c.implied())
		}
		var group strings.Builder
		group.WriteString(r.Solver.As + ":")
		if slices.Contains(c.Over, "as") {
			group.Reset()
			group.WriteString("all:")
		}
		for _, name := range rule.Per {
			fmt.Fprintf(&group, " %s=%v", name, r.Labels[name])
		}
		r.Choose = &Candidate{Rule: rule, Group: group.String()}
		if c.Folds == 0 && !r.Choose.Stages(r) {
			out = append(out, r)
			continue
		}
		out = append(out, r.eachFold(c.Folds)...)
		finals = append(finals, r.finals()...)
	}
	return append(out, finals...)
}

// eachFold returns the run once for each of n folds. If n is 0, it returns the run itself.
func (r Run) eachFold(n int) []Run {
	if n == 0 {
		return []Run{r}
	}
	out := make([]Run, n)
	for k := range out {
		out[k] = r.copied()
		out[k].Fold, out[k].Folds = k+1, n
		out[k].Labels["fold"] = float64(k + 1)
	}
	return out
}

// finals returns the final runs for the values of r. A final run is trained on all data, and is made only if its value
// wins. If the values are the stages of a path, there is one final run for each stage. It starts without a warm start
// and ends by the stop rule of the stage.
func (r Run) finals() []Run {
	if !r.Choose.Stages(r) {
		out := r.copied()
		out.Choose.Final = true
		return []Run{out}
	}
	var out []Run
	for _, value := range r.Solver.Path.Values() {
		f := r.copied()
		f.Choose.Final = true
		f.Solver.Path = nil
		f.C, f.Labels[r.Convention.key()] = value, value
		f.Stop = r.Stop.with(&r.Solver.Path.Until)
		out = append(out, f)
	}
	return out
}

// copied returns a copy of the run with its own labels and its own Choose.
func (r Run) copied() Run {
	labels := make(map[string]any, len(r.Labels)+1)
	for name, v := range r.Labels {
		labels[name] = v
	}
	c := *r.Choose
	r.Labels, r.Choose = labels, &c
	return r
}
