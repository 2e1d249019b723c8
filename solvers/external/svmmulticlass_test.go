package external_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// multiclassModel is a model file of SVM-multiclass with 3 classes. 2 of the 6 features occur in it. Weights that are 0
// are left out.
const multiclassModel = "SVM-multiclass Version V2.20\n3 # number of classes\n2 # number of base features\n" +
	"0 # loss function\n0 # kernel type\nempty# kernel parameter -u \n6 # highest feature index \n" +
	"0 # threshold b, each following line is a SV (starting with alpha*y)\n2 qid:0 1:0.5 2:1 4:-2 5:3 #\n"

// TestReadSVMMulticlass checks the weights read from a model file, and the error for each fault of the file.
func TestReadSVMMulticlass(t *testing.T) {
	p := noisyClasses(t, models.Slack(), 3, 0.1, 100)
	lines := strings.Split(strings.TrimSpace(multiclassModel), "\n")
	x := program(peerCommand(t, "write", append([]string{"{data}", "{model}"}, lines...)...)...)
	x.Weights = "svm-multiclass"
	want := make([]float64, p.Dim)
	want[0], want[3], want[4], want[2] = 1, 2, -4, 6 // the weight of feature j for class c is want[3j+c]
	if w := trained(t, x, p).W; !slices.Equal(w, want) {
		t.Errorf("the weights are %v: want %v", w, want)
	}
	for _, c := range []struct{ old, new, says string }{
		{"3 # number of classes", "4 # number of classes",
			`line 9: in the header above, the number of classes is "4": want 3`},
		{"2 # number of base", "7 # number of base", `number of base features is "7": want at most 6`},
		{"0 # loss", "1 # loss", `the loss function is "1"`},
		{"0 # kernel type", "2 # kernel type", `the kernel type is "2": want 0 (zero/one loss) and 0 (linear)`},
		{"2 qid:0 1:0.5 2:1 4:-2 5:3 #\n", "", "the file ends at line 8, after a header without a vector of weights"},
		{"2 qid:0", "x qid:0", `line 9: "x": want a finite number`},
		{"5:3", "7:3", `line 9: "7:3": want an index, 1 to 6, and a weight`},
		{"5:3", "5:", `line 9: "": want a finite number`},
		{"5:3 #\n", "5:3 #\n1 qid:0 1:1 #\n", `follows the vector of weights`},
	} {
		lines := strings.Split(strings.TrimSpace(strings.Replace(multiclassModel, c.old, c.new, 1)), "\n")
		x.Command = peerCommand(t, "write", append([]string{"{data}", "{model}"}, lines...)...)
		if text := failure(t, x, p); !strings.Contains(text, c.says) {
			t.Errorf("%q for %q: the error is %s: want %q", c.new, c.old, text, c.says)
		}
	}
}

// TestSVMMulticlass checks that SVM-multiclass finds the optimum with slack rescaling and with margin rescaling. Both
// objectives P are scaled versions of one objective Q, the hinge with label loss 1 at λ = 0.1. With slack rescaling and
// 100 λ, P(v) = 100 Q(v). With margin rescaling and λ/100, P(v) = 100 Q(v/100).
func TestSVMMulticlass(t *testing.T) {
	if _, err := exec.LookPath("svm_multiclass_learn"); err != nil {
		t.Skip("svm_multiclass_learn is not installed")
	}
	q := noisyClasses(t, models.Hinge(), 3, 0.1, 1)
	var dual float64
	for it := range testbed.Iterates(t, solvers.Run(coordinate.NewDCD(), q, solvers.Env{Seed: 1})) {
		if dual = 100 * it.Dual(); it.Epoch >= 200 {
			break
		}
	}
	for _, c := range []struct {
		option string
		loss   models.Loss
		lambda float64
	}{{"1", models.Slack(), 10}, {"2", models.Hinge(), 0.001}} {
		p := noisyClasses(t, c.loss, 3, c.lambda, 100)
		x := program("svm_multiclass_learn", "-v", "0", "-o", c.option, "-c", "{Cn}", "-e", "{eps}", "{data}", "{model}")
		x.Weights, x.Eps = "svm-multiclass", 0.01
		if value := p.Primal(trained(t, x, p).W); !(value >= dual && value <= dual+0.02) {
			t.Errorf("-o %s: the objective is %v: want %v, and at most twice the tolerance above it", c.option, value, dual)
		}
	}
}
