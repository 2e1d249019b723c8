package external

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// modelFile is a valid model file of a program, with the function that reads such files and the number of weights.
type modelFile struct {
	dim  int
	text string
	read func(w []float64, in io.Reader) error
}

func modelFiles() []modelFile {
	header := "SVM-HMM Version V3.10\n0 # kernel type\n3 # number of emission features\n3 # number of classes\n" +
		"1 # HMM order of transitions\n0 # HMM order of emissions\n0 # threshold b\n"
	chain := func(f chainFormat) *chainProblem { return &chainProblem{labels: 3, features: 3, scale: 2, format: f} }
	rows := func(format string, parts int, loss models.Loss) *rowProblem {
		return &rowProblem{problem: &models.Risk{Loss: loss}, parts: parts, signed: parts == 2, features: 3, scale: 2,
			format: format}
	}
	kernel := &kernelProblem{kernel: models.Kernel{Name: "rbf", Gamma: 0.5, Bias: 1}, scale: 2, format: "libsvm",
		rows: []models.Row{{Value: []float64{1, 0.5}}, {Value: []float64{0, 2}}, {Index: []int32{1}, Value: []float64{-1}}}}
	return []modelFile{
		{9, goodModel, rows("liblinear", 3, models.Hinge()).read},
		{3, signedModel, rows("liblinear", 2, models.Hinge()).read},
		{9, "1\n2\n3\n4\n5\n6\n7\n8\n9e-1\n", rows("dense", 3, models.Hinge()).read},
		{9, "V2.20\n3 # number of classes\n2 # number of base features\n0 # loss function\n0 # kernel type\n" +
			"0 # threshold b\n2 qid:0 1:0.5 2:1 4:-2 5:3 #\n", rows("svm-multiclass", 3, models.Slack()).read},
		{18, header + "0.5 9:0.5 20:1 25:-6 #\n", chain(svmHMM()).read},
		{18, "TRANSITIONS = {\n  (1) 1 --> 2: 0.25\n}\nSTATE_FEATURES = {\n  (0) 0 --> 1: 0.5\n}\n", chain(crfsuite()).read},
		{8, "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.5\nlabel 1 -1\nnr_sv 1 1\nSV\n" +
			"0.5 1:1 2:0.5 \n-0.5 2:2 \n", kernel.read},
	}
}

// FuzzModelFile checks that reading any model file, valid or not, neither panics nor gives weights that are not finite.
func FuzzModelFile(f *testing.F) {
	for k, m := range modelFiles() {
		if err := m.read(make([]float64, m.dim), strings.NewReader(m.text)); err != nil {
			f.Fatalf("%q: %v", m.text, err)
		}
		f.Add(uint8(k), m.text)
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		list := modelFiles()
		m := list[int(kind)%len(list)]
		w := make([]float64, m.dim)
		if err := m.read(w, strings.NewReader(text)); err == nil &&
			slices.ContainsFunc(w, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			t.Errorf("%q gives the weights %v, want finite weights or an error", text, w)
		}
	})
}
