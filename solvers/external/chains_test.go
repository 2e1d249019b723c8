package external_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/external"
	"github.com/gaplab/gaplab/solvers/frankwolfe"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// sequences returns two sequences with three possible labels and four features, the last of which is always 0. The
// other features of the first sequence are (1 0 0.5) and (0 2 0); those of the second are (0 0 1), (1 1 0) and (0 0 0).
func sequences(t testing.TB, loss models.Loss, edges string) *models.Risk {
	t.Helper()
	task, err := chain.Model{Edges: edges}.Build(&datasets.Sequences{
		X: datasets.Rows{N: 5, Dim: 4, Value: []float64{1, 0, 0.5, 0, 0, 2, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0}},
		Y: []int{0, 1, 2, 0, 1}, Labels: []string{"a", "b", "c"}, Start: []int{0, 2, 5}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(loss, 0.1).(*models.Risk)
}

// chainProgram returns a program that does not train: it writes the given lines as its model file.
func chainProgram(t testing.TB, format string, lines ...string) *external.Program {
	x := program(append(peerCommand(t, "write", "{data}", "{model}"), lines...)...)
	x.Data = format
	return x
}

// TestExternalSequences checks that sequences are written in each program's format, with tied and with untied
// transitions.
func TestExternalSequences(t *testing.T) {
	for format, want := range map[string]string{
		"crfsuite": "0\t0\t2:0.5\n1\t1:2\n\n2\t2\n0\t0\t1\n1\n\n",
		"svm-hmm":  "1 qid:1 1:1 3:0.5\n2 qid:1 2:2\n3 qid:2 3:1\n1 qid:2 1:1 2:1\n2 qid:2\n",
	} {
		for _, edges := range []string{"tied", "untied"} {
			file := filepath.Join(t.TempDir(), "copy")
			x := program("cp", "{data}", file, "{model}")
			x.Data = format
			x.Command = []string{"sh", "-c", "cp {data} " + file + "; touch {model}"}
			failure(t, x, sequences(t, models.Hinge(), edges)) // the run fails, because the model file is empty
			if got, err := os.ReadFile(file); err != nil || string(got) != want {
				t.Errorf("%s, %s: the data are %q (%v): want %q", format, edges, got, err, want)
			}
		}
	}
}

// TestExternalSequenceWeights checks that a model file in a program's format is read into w: first the weights of
// features with labels, then the weights of transitions, all multiplied by the label loss.
func TestExternalSequenceWeights(t *testing.T) {
	p := sequences(t, models.Hinge(), "tied")
	for i := range p.Examples {
		for j := range p.Examples[i].Cost {
			p.Examples[i].Cost[j] *= 2
		}
	}
	w := make([]float64, p.Dim)
	w[0*3+1], w[2*3+2] = 2*0.5, 2*-3 // weights of feature 0 with label 1, and of feature 2 with label 2
	w[12+1*3+2] = 2 * 0.25           // weight of the transition from label 1 to label 2
	header := []string{"SVM-HMM Version V3.10", "0 # kernel type", "3 # number of emission features",
		"3 # number of classes", "1 # HMM order of transitions", "0 # HMM order of emissions", "0 # threshold b"}
	for format, lines := range map[string][]string{
		"crfsuite": {"FILEHEADER = {", "  magic: lCRF", "}", "", "LABELS = {", "      0: 0", "}", "TRANSITIONS = {",
			"  (1) 1 --> 2: 0.250000", "}", "", "STATE_FEATURES = {", "  (0) 0 --> 1: 0.500000", "  (0) 2 --> 2: -3", "}"},
		// indices as in the comment of svmHMM, with k = 3 and F = 3: transition 2·3 + 3; features 9 + 3 + 1 + y·3 + f
		"svm-hmm": append(slices.Clone(header), "0.5 9:0.5 20:1 25:-6 #"),
	} {
		if it := trained(t, chainProgram(t, format, lines...), p); !slices.Equal(it.W, w) {
			t.Errorf("%s: the weights are %v: want %v", format, it.W, w)
		}
	}
	dumped := chainProgram(t, "crfsuite", "binary")
	dumped.Dump = []string{"sh", "-c", `test "$(cat {model})" = binary && ` +
		`printf 'TRANSITIONS = {\n  (1) 1 --> 2: 0.25\n}\nSTATE_FEATURES = {\n  (0) 0 --> 1: 0.5\n  (0) 2 --> 2: -3\n}\n'`}
	if it := trained(t, dumped, p); !slices.Equal(it.W, w) {
		t.Errorf("dumped: the weights are %v: want %v", it.W, w)
	}

	changed := func(line int, text string) []string {
		out := append(slices.Clone(header), "1 20:1 #")
		out[line] = text
		return out
	}
	for _, c := range []struct {
		format string
		lines  []string
		want   string
	}{
		{"crfsuite", []string{"TRANSITIONS = {", "}"}, "the blocks TRANSITIONS and STATE_FEATURES"},
		{"crfsuite", []string{"STATE_FEATURES = {", " (0) 3 --> 1: 1", " (0) 4 --> 1: 1"},
			"line 3: \"(0) 4 --> 1: 1\": want a first number below 4"},
		{"crfsuite", []string{"STATE_FEATURES = {", " (0) 0 --> 3: 1"}, "want a first number below 4 and a label below 3"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) 3 --> 1: 1"}, "want a first number below 3 and a label below 3"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) -1 --> 1: 1"}, "want a first number below 3"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) 1 --> -1: 1"}, "a label below 3"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) 1 -> 1: 1"}, "want a line such as"},
		{"crfsuite", []string{"STATE_FEATURES = {", "}"}, "the blocks TRANSITIONS and STATE_FEATURES"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) 1 --> 3: 1"}, "a label below 3"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) 1 --> x: 1"}, "want a line such as"},
		{"crfsuite", []string{"TRANSITIONS = {", " (1) 1 --> 1: NaN"}, "want a line such as"},
		{"svm-hmm", append(slices.Clone(header), "1 3:1 #"), "transition (4 to 12) or of a feature (17 to 25)"},
		{"svm-hmm", append(slices.Clone(header), "1 26:1 #"), "want the index of a transition"},
		{"svm-hmm", append(slices.Clone(header), "1 20:Inf #"), "want a finite number"},
		{"svm-hmm", append(slices.Clone(header), "1 20:1 #", "1 21:1 #"), "follows"},
		{"svm-hmm", append(slices.Clone(header), "1 16:1 #"), "want the index of a transition"},
		{"svm-hmm", append(slices.Clone(header), "1 13:1 #"), "want the index of a transition"},
		{"svm-hmm", []string{"V", "2 # number of classes", "1 20:1 #"}, `the number of classes is "2": want 3`},
		{"svm-hmm", changed(2, "5 # number of emission features"), `emission features is "5": want at most 4`},
		{"svm-hmm", changed(2, "0 # number of emission features"), `emission features is "0": want at most 4`},
		{"svm-hmm", changed(2, "x # number of emission features"), `emission features is "x": want at most 4`},
		{"svm-hmm", changed(1, "2 # kernel type"), "another kernel or order"},
		{"svm-hmm", changed(4, "2 # HMM order of transitions"), "another kernel or order"},
		{"svm-hmm", changed(5, "1 # HMM order of emissions"), "another kernel or order"},
	} {
		if err := failure(t, chainProgram(t, c.format, c.lines...), p); !strings.Contains(err, c.want) {
			t.Errorf("%s %q: the error is %s: want %q", c.format, c.lines, err, c.want)
		}
	}
}

// TestExternalSequenceNeeds checks the errors for problems that the programs for sequences cannot solve.
func TestExternalSequenceNeeds(t *testing.T) {
	classes, err := multiclass.Model{}.Build(noisy(30, 6, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	uneven := sequences(t, models.Hinge(), "tied")
	uneven.Examples[1].Cost[0] = 3
	rare := sequences(t, models.Hinge(), "tied")
	rare.Examples = rare.Examples[:1]
	each := func(loss models.Loss, change func(i int, e *models.Example)) *models.Risk {
		p := sequences(t, loss, "tied")
		for i := range p.Examples {
			e := &p.Examples[i]
			e.Cost = slices.Clone(e.Cost)
			change(i, e)
		}
		return p
	}
	cost := func(i, at int, v float64) *models.Risk {
		return each(models.Hinge(), func(k int, e *models.Example) {
			if k == i {
				e.Cost[at] = v
			}
		})
	}
	x := program(os.Args[0], "{data}", "{model}")
	x.Data = "crfsuite"
	for _, c := range []struct {
		problem *models.Risk
		want    string
	}{
		{classes.Objective(models.Hinge(), 1).(*models.Risk), "needs labelled sequences"},
		{uneven, "the label loss of example 1 is different"},
		{rare, "label 3 of 3 does not occur"},
		{cost(1, 8, 3), "the label loss of example 1 is different"}, // only the last wrong label of the last position
		{cost(1, 2, 1), "the label loss of example 1 is different"}, // the true label of the first position
		{cost(0, 4, 1), "the label loss of example 0 is different"}, // the true label of the second position
		{each(models.Hinge(), func(i int, e *models.Example) {
			for at := range e.Cost {
				e.Cost[at] *= float64(i + 1)
			}
		}), "with the same s > 0 for all examples; the label loss of example 1 is different"},
		{each(models.Hinge(), func(_ int, e *models.Example) { e.Cost = nil }), "the label loss of example 0"},
		{each(models.Hinge(), func(_ int, e *models.Example) { e.Cost = e.Cost[:3] }), "the label loss of example 0"},
		{each(models.Hinge(), func(_ int, e *models.Example) { clear(e.Cost) }), "the label loss of example 0"},
		{each(models.Hinge(), func(_ int, e *models.Example) { e.ZeroOne = 1 }), "the label loss of example 0"},
		{each(models.LogLoss(), func(_ int, e *models.Example) { e.Cost = nil }), ""},
		{each(models.Hinge(), func(int, *models.Example) {}), ""},
		{each(models.Loss{Margin: 2}, func(int, *models.Example) {}), ""},
		{each(models.Slack(), func(int, *models.Example) {}), "supports the hinge and the log loss"},
		{sequences(t, models.Loss{Temp: 1, Margin: 1}, "tied"), "temperature 1, margin 1"},
	} {
		err := solvers.Missing(x, c.problem)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v: want %q", err, c.want)
		}
	}
	x.Dump = []string{"a", "model"}
	if err := x.Validate(); err == nil || !strings.Contains(err.Error(), "dump: no argument contains {model}") {
		t.Errorf("the error of a dump without {model} is %v, want one that names {model}", err)
	}
}

// TestExternalSequencePrograms checks that CRFsuite and SVM-HMM, if installed, reach the optimum of gaplab's own
// solvers, up to their tolerances and the digits that they write.
func TestExternalSequencePrograms(t *testing.T) {
	crf := program("crfsuite", "learn", "-p", "feature.possible_states=1", "-p", "feature.possible_transitions=1", "-p",
		"c2={c2}", "-p", "delta=1e-9", "-m", "{model}", "{data}")
	crf.Data, crf.Dump = "crfsuite", []string{"crfsuite", "dump", "{model}"}
	hmm := program("svm_hmm_learn", "-c", "{Cn}", "-e", "{eps}", "{data}", "{model}")
	hmm.Data, hmm.Eps = "svm-hmm", 1e-4
	for _, c := range []struct {
		program *external.Program
		own     solvers.Trainer
		problem *models.Risk
		tol     float64
	}{
		{crf, coordinate.NewSDCA(), sequences(t, models.LogLoss(), "tied"), 1e-6},
		{hmm, frankwolfe.New(), sequences(t, models.Hinge(), "tied"), 2e-4},
	} {
		name := c.program.Command[0]
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("%s is not installed", name)
			continue
		}
		primal, dual := math.Inf(1), math.Inf(-1)
		for it := range testbed.Iterates(t, solvers.Run(c.own, c.problem, solvers.Env{Seed: 1})) {
			primal, dual = min(primal, c.problem.Primal(it.W)), max(dual, it.Dual())
			if primal-dual < c.tol*dual || it.Epoch > 5000 {
				break
			}
		}
		if got := c.problem.Primal(trained(t, c.program, c.problem).W); got < dual || got > primal*(1+c.tol) {
			t.Errorf("%s: the primal at the end is %v, want a number from %v to %v", name, got, dual, primal)
		}
	}
}
