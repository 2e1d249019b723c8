package external

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

const (
	goodModel   = "solver_type MCSVM_CS\nnr_class 3\nlabel 2 3 1\nnr_feature 2\nbias -1\nw\n1 2 3 \n4 5 6e-1 \n"
	signedModel = "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel -1 1\nnr_feature 2\nbias -1\nw\n1 \n-2\n"
)

// TestReadLIBLINEAR checks that the key "label" determines the class of each column, that the only column of a file for
// two classes belongs to the first label, and that features that do not occur in the data have weight 0.
func TestReadLIBLINEAR(t *testing.T) {
	hinge := &models.Risk{Loss: models.Hinge()}
	three := &rowProblem{problem: hinge, parts: 3, features: 3}
	two := &rowProblem{problem: hinge, parts: 2, features: 3, signed: true}
	for _, c := range []struct {
		text string
		rows *rowProblem
		want []float64
	}{
		{goodModel, three, []float64{3, 1, 2, 0.6, 4, 5, 0, 0, 0}},
		{goodModel + "\n", three, []float64{3, 1, 2, 0.6, 4, 5, 0, 0, 0}},
		{strings.ReplaceAll(goodModel, "\n", "\r\n"), three, []float64{3, 1, 2, 0.6, 4, 5, 0, 0, 0}},
		{signedModel, two, []float64{-1, 2, 0}},
		{strings.Replace(signedModel, "-1 1", "1 -1", 1), two, []float64{1, -2, 0}},
		{strings.Replace(signedModel, "-1 1", "+1 -1", 1), two, []float64{1, -2, 0}},
	} {
		w := slices.Repeat([]float64{9}, len(c.want))
		if err := c.rows.readLIBLINEAR(w, strings.NewReader(c.text)); err != nil || !slices.Equal(w, c.want) {
			t.Errorf("%q gives %v (%v): want %v", c.text, w, err, c.want)
		}
	}
}

// TestReadLIBLINEARRefuses checks the error for each fault of a LIBLINEAR model file.
func TestReadLIBLINEARRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{goodModel, "", `the file ends at line 0, after a header without the line "w"`},
		{"w\n1 2 3 \n4 5 6e-1 \n", "", "the file ends at line 5"},
		{"MCSVM_CS", "L2R_L1LOSS_SVC_DUAL",
			"line 1: solver_type L2R_L1LOSS_SVC_DUAL: this solver has another objective: want MCSVM_CS (-s 4)"},
		{"nr_class 3", "nr_class 2", "line 2: nr_class 2: want 3"},
		{"nr_class 3", "nr_class three", "line 2: nr_class three: want 3"},
		{"nr_class 3", "nr_clas 3", `line 2: key "nr_clas": want`},
		{"nr_class 3\n", "", "line 5: the weights begin before the key nr_class"},
		{"nr_class 3\n", "nr_class 3\nnr_class 3\n", "line 3: nr_class is given twice"},
		{"label 2 3 1", "label 2 3 3", "line 3: label 2 3 3: want each of 1, 2, 3 once"},
		{"label 2 3 1", "label 2 3", "line 3: label 2 3: want each of"},
		{"label 2 3 1", "label 2 3 4", "line 3: label 2 3 4: want each of"},
		{"label 2 3 1", "label", "line 3: label : want each of"},
		{"nr_feature 2", "nr_feature 4", "line 4: nr_feature 4: want at most the 3 features"},
		{"nr_feature 2", "nr_feature -1", "line 4: nr_feature -1: want"},
		{"nr_feature 2", "nr_feature 3", "the file ends at line 8, after 2 of 3 rows of weights"},
		{"nr_feature 2", "nr_feature 1", `line 8: "4 5 6e-1 " follows the 1 rows of weights`},
		{"bias -1", "bias 1", "line 5: bias 1: want -1"},
		{"bias -1", "bias x", "line 5: bias x: want -1"},
		{"1 2 3", "1 2", "line 7: 2 weights: want 3"},
		{"1 2 3", "1 2 3 4", "line 7: 4 weights: want 3"},
		{"6e-1", "6e-", `line 8: "6e-": want a finite number`},
		{"6e-1", "nan", `line 8: "nan": want a finite number`},
		{"6e-1", "-inf", `line 8: "-inf": want a finite number`},
		{"6e-1", "1e999", `line 8: "1e999": want a finite number`},
		{"4 5", strings.Repeat("4", 1<<24+1), "after line 7: "},
	} {
		text := strings.Replace(goodModel, c.old, c.new, 1)
		rows := &rowProblem{problem: &models.Risk{Loss: models.Hinge()}, parts: 3, features: 3}
		if err := rows.readLIBLINEAR(make([]float64, 9), strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q for %.40q: the error is %v: want %q", c.new, c.old, err, c.want)
		}
	}
}

// TestReadDense checks that the format dense has one weight per line, and checks the error for each fault of the file.
func TestReadDense(t *testing.T) {
	w := make([]float64, 3)
	if err := readDense(w, strings.NewReader("1\n -2.5\n3e4\n\n")); err != nil ||
		!slices.Equal(w, []float64{1, -2.5, 3e4}) {
		t.Errorf("the weights are %v (%v), want [1 -2.5 30000]", w, err)
	}
	for text, want := range map[string]string{
		"":             "the file ends at line 0, after 0 of 3 weights",
		"1\n2\n":       "the file ends at line 2, after 2 of 3 weights",
		"1\n2\n3\n4\n": `line 4: "4" follows the 3 weights`,
		"1\n\n3\n4\n":  `line 2: "": want a finite number`,
		"1 2 3\n":      `line 1: "1 2 3": want`,
		"1\n2\ninf\n":  `line 3: "inf": want`,
	} {
		if err := readDense(w, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v: want %q", text, err, want)
		}
	}
}

// TestExternalDefaults checks that the default settings are valid once a command is set.
func TestExternalDefaults(t *testing.T) {
	x := New()
	if err := x.Validate(); err == nil || !strings.Contains(err.Error(), "command") {
		t.Errorf("the error without a command is %v, want one that names it", err)
	}
	x.Command = []string{"a", "{data}", "{model}"}
	if err := x.Validate(); err != nil {
		t.Error(err)
	}
}
