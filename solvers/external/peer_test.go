package external_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
)

// peer is the argument that makes the test binary act as an installed program, which the solver Program runs.
// TestPeerProgram then does the work of this program.
const peer = "peer-program"

// peerCommand returns the command that runs the test binary as a program. The argument what selects the work of this
// program: it is the name of a case in TestPeerProgram.
func peerCommand(t testing.TB, what string, arguments ...string) []string {
	t.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise the race detector makes each program wait for a second at its end
	return append([]string{os.Args[0], "-test.run=^TestPeerProgram$", peer, what}, arguments...)
}

// TestPeerProgram tests nothing: it is the program that the tests of Program run.
func TestPeerProgram(t *testing.T) {
	if flag.Arg(0) != peer {
		t.Skip("this is the program that the tests of Program run")
	}
	arguments := flag.Args()[2:]
	switch flag.Arg(1) {
	case "train":
		if err := peerTrain(arguments[0], arguments[1], arguments[2], arguments[3]); err != nil {
			t.Fatal(err)
		}
	case "write": // writes a file: argument 1 is its name, and each later argument is a line
		text := strings.Join(arguments[2:], "\n") + "\n"
		if err := os.WriteFile(arguments[1], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	case "hold": // allocates argument 0 megabytes, then does as write with the arguments after argument 0
		megabytes, _ := strconv.Atoi(arguments[0])
		held := make([]byte, megabytes<<20)
		for i := 0; i < len(held); i += 1 << 10 {
			held[i] = 1
		}
		time.Sleep(50 * time.Millisecond)
		runtime.KeepAlive(held)
		if err := os.WriteFile(arguments[2], []byte(strings.Join(arguments[3:], "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	case "fail": // prints many lines and the contents of the file named by argument 0, then fails
		for i := range 5000 {
			fmt.Println("line", i)
		}
		text, err := os.ReadFile(arguments[0])
		fmt.Fprintln(os.Stderr, "cannot train on", arguments[0], err)
		os.Stderr.Write(text)
		os.Exit(3)
	case "nothing":
	}
}

// peerTrain minimises the objective of LIBLINEAR, but with the solver EG. Two classes with one weight vector u are
// trained as a multiclass problem with weights w_0 and w_1: then u = w_1 − w_0, and the least |w|² for a given u is
// ½|u|².
func peerTrain(loss, c, data, model string) error {
	set, err := formats.LIBSVM{Path: data}.Load(context.Background(), datasets.Source{})
	if err != nil {
		return err
	}
	rows := set.Train.(*datasets.Labelled)
	task, err := multiclass.Model{}.Build(rows, nil)
	if err != nil {
		return err
	}
	cost, err := strconv.ParseFloat(c, 64)
	if err != nil {
		return err
	}
	signed := slices.Contains(rows.Classes, "-1")
	lambda := 1 / (cost * float64(len(task.Train)))
	if signed {
		lambda *= 2
	}
	kind, known := models.LossNamed(loss)
	if !known {
		return fmt.Errorf("no loss %q", loss)
	}
	p := task.Objective(kind, lambda).(*models.Risk)
	var w []float64
	for it, err := range solvers.Run(&eg.Solver{Eta: 0.5, Order: "cyclic", Rate: "adaptive"}, p, solvers.Env{Seed: 1}) {
		if err != nil {
			return err
		}
		w = it.W
		if it.Epoch >= 1000 || p.Primal(it.W)-it.Dual() < 1e-7*p.Primal(it.W) {
			break
		}
	}
	return os.WriteFile(model, []byte(peerModel(rows, loss, w, signed)), 0o600)
}

// peerModel returns LIBLINEAR's model file, with the labels in decreasing order.
func peerModel(rows *datasets.Labelled, loss string, w []float64, signed bool) string {
	k := len(rows.Classes)
	labels := slices.Clone(rows.Classes)
	slices.Reverse(labels)
	solver := "MCSVM_CS"
	if signed {
		solver = "L2R_L1LOSS_SVC_DUAL"
		if loss == "log" {
			solver = "L2R_LR"
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "solver_type %s\nnr_class %d\nlabel %s\nnr_feature %d\nbias -1\nw\n", solver, k,
		strings.Join(labels, " "), rows.X.Dim)
	for j := range rows.X.Dim {
		row := slices.Clone(w[j*k : (j+1)*k])
		slices.Reverse(row)
		if signed {
			row = []float64{row[0] - row[1]}
		}
		for _, v := range row {
			fmt.Fprintf(&out, "%.17g ", v)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
