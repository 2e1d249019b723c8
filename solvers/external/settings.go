// Package external runs programs that the user has installed, such as LIBLINEAR, to compare them with the solvers of
// gaplab.
package external

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Program is a program that the user has installed, such as LIBLINEAR (Debian's package liblinear-tools), run as a
// solver, its weights evaluated by the same code as those of gaplab's own:
//
//	solvers:
//	  - as: liblinear
//	    name: external
//	    command: [liblinear-train, -s, "3", -c, "{C}", -e, "{eps}", "{data}", "{model}"]
//	    overhead: [liblinear-train, -s, "3", -c, "{C}", -e, "1e9", "{data}", "{model}"]
//
// Where a labelling is one part, models binary (-s 3; for the log loss -s 0 or 7) and multiclass (-s 4), the program is
// given rows x_i, labels y_i and a C (Fan et al. 2008, LIBLINEAR, section 2), and finds the v that minimises
//
//	½|v|² + C Σ_i ℓ_i(v),   ℓ_i(v) = max(0, 1 − m_i)  or  log(1 + exp(−m_i)),   m_i = y_i v·x_i
//	                        (several classes: m_i = min_{c ≠ y_i} (v_{y_i} − v_c)·x_i)
//
// With label loss s·[y ≠ y_i], or s = τ for the log loss, w = s·v makes the two objectives one:
//
//	P(w) = λ s² (½|v|² + C Σ_i ℓ_i(v)),   C = 1/(λ n s)
//
// Sequences with a label at each position, model chain, are written for CRFsuite (Okazaki 2007), whose objective is
// c2 |v|² + Σ_i ℓ_i(v) with the log loss, and for SVM-HMM (Joachims, Finley and Yu 2009), ½|v|² + Cn/n Σ_i ℓ_i(v) with
// the hinge and the number of wrong labels as its loss:
//
//	command: [crfsuite, learn, -p, feature.possible_states=1, -p, feature.possible_transitions=1, -p, "c2={c2}",
//	  -m, "{model}", "{data}"]
//	dump: [crfsuite, dump, "{model}"]
//	command: [svm_hmm_learn, -c, "{Cn}", -e, "{eps}", "{data}", "{model}"]
//
// SVM-multiclass, of the same authors, has slack rescaling (-o 1) and margin rescaling (-o 2) of the label loss 100 on
// classes (svmmulticlass.go). SVM-light and LIBSVM have kernels, model kernel with two classes (kernels.go): SVM-light
// without a bias, and LIBSVM with a free one, which is nearly that of a model whose bias is large:
//
//	command: [svm_multiclass_learn, -o, "1", -c, "{Cn}", -e, "{eps}", "{data}", "{model}"]
//	weights: svm-multiclass
//	command: [svm_learn, -b, "0", -t, "2", -g, "{gamma}", -c, "{C}", -e, "{eps}", -a, "{model}", "{data}", /dev/null]
//	weights: dense
//	command: [svm-train, -t, "2", -g, "{gamma}", -c, "{C}", -e, "{eps}", "{data}", "{model}"]
//	weights: libsvm
//
// Train yields w = 0 and the program's w. The program's seconds are those of the run, its reading of the data included:
// Overhead measures what that costs. The files are written and read off the clock. No oracle is called.
type Program struct {
	// the program and its arguments; {data} and {model} are the files to read and to write, {C} is LIBLINEAR's
	// C, {Cn} is C n, {c2} is 1/(2 C), {lambda} is 1/(C n), {n} the number of examples, {features} that of
	// features, {gamma}, {coef} and {degree} are of the kernel, {eps} the setting eps
	Command []string `yaml:"command" jsonschema:"required,minItems=1"`
	// format of {data}: libsvm, with labels +1 and -1 (model binary) or 1 to k (multiclass); for model chain
	// crfsuite or svm-hmm, a line for each position, with labels 0 to k-1 or 1 to k
	Data string `yaml:"data" jsonschema:"enum=libsvm,enum=crfsuite,enum=svm-hmm"`
	// format of {model}: liblinear, svm-multiclass and libsvm, the model file of that program, libsvm for model
	// kernel; dense, one number a line: each feature, for multiclass each class of it, for model kernel each
	// example's coefficient; for data crfsuite and svm-hmm that of the program, and this is left out
	Weights string `yaml:"weights" jsonschema:"enum=liblinear,enum=dense,enum=svm-multiclass,enum=libsvm"`
	// value of {eps}, the program's tolerance
	Eps float64 `yaml:"eps" jsonschema:"exclusiveMinimum=0"`
	// the same program asked to do no work, such as with a huge tolerance: its seconds become the column
	// overhead_seconds, those of the CPU overhead_cpu_seconds
	Overhead []string `yaml:"overhead"`
	// a program that prints the weights of {model}, off the clock, where they are not in that file as text
	Dump []string `yaml:"dump"`
}

var _ solvers.Trainer = (*Program)(nil)

// New returns a Program with its default settings.
func New() *Program { return &Program{Data: "libsvm", Weights: "liblinear", Eps: 0.1} }

// Validate reports settings that no problem could make work.
func (x *Program) Validate() error {
	if len(x.Command) == 0 {
		return errors.New("command is empty: want the program and its arguments")
	}
	if err := checkCommand(x.Command, "data", "model"); err != nil {
		return fmt.Errorf("command: %w", err)
	}
	if len(x.Overhead) > 0 {
		if err := checkCommand(x.Overhead, "data"); err != nil {
			return fmt.Errorf("overhead: %w", err)
		}
	}
	if len(x.Dump) > 0 {
		if err := checkCommand(x.Dump, "model"); err != nil {
			return fmt.Errorf("dump: %w", err)
		}
	}
	return nil
}

// Needs implements Solver: classes, or with the formats of sequences those, on sparse rows.
func (x *Program) Needs() solvers.Needs {
	return solvers.Needs{OnePart: x.Data == "libsvm", Features: solvers.Sparse, Norm: x.Data == "libsvm"}
}

// Check implements Checker.
func (x *Program) Check(o models.Objective) error {
	_, err := x.prepare(o.(*models.Risk))
	return err
}

func (x *Program) prepare(p *models.Risk) (problem, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	for _, c := range [][]string{x.Command, x.Overhead, x.Dump} {
		if len(c) == 0 {
			continue
		}
		if err := installed(c[0]); err != nil {
			return nil, solvers.Lacking("%v", err)
		}
	}
	out, err := x.recognise(p)
	if err != nil {
		return nil, solvers.Lacking("%v", err)
	}
	if v := lacking(out.values(x.Eps), x.Command, x.Overhead); v != "" {
		return nil, solvers.Lacking("needs a kernel for %s in a command; the problem has none", v)
	}
	return out, nil
}

func (x *Program) recognise(p *models.Risk) (problem, error) {
	switch x.Data {
	case "crfsuite":
		return newChainProblem(p, crfsuite())
	case "svm-hmm":
		return newChainProblem(p, svmHMM())
	}
	if p.Norm != nil {
		return newKernelProblem(p, x.Weights)
	}
	return newRowProblem(p, x.Weights)
}

// Train implements Trainer.
func (x *Program) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(x, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		prepared, err := x.prepare(p)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		w := make([]float64, p.Dim)
		if !yield(solvers.Iterate{W: w}, nil) {
			return
		}
		it := solvers.Iterate{W: w, Epoch: 1}
		wall, cpu, err := x.train(w, prepared, env)
		switch {
		case env.Err() != nil: // the program was ended
			it, err = solvers.Iterate{}, env.Err()
		case err != nil:
			it = solvers.Iterate{}
			err = fmt.Errorf("solvers: external: %w", err)
		case len(x.Overhead) > 0:
			it.Stats = func(yield func(string, float64)) {
				yield("overhead_seconds", wall.Seconds())
				yield("overhead_cpu_seconds", cpu.Seconds())
			}
		}
		yield(it, err)
	})
}

// train writes the files, runs the program, and reads its weights into w. It returns the time of the overhead.
func (x *Program) train(w []float64, p problem, env solvers.Env) (wall, cpu time.Duration, err error) {
	env.Enter("files")
	defer env.Enter("")
	folder, err := os.MkdirTemp("", "gaplab-external-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(folder)
	values := p.values(x.Eps)
	values["data"], values["model"] = filepath.Join(folder, "data"), filepath.Join(folder, "model")
	if err := writeFile(values["data"], p.write); err != nil {
		return 0, 0, err
	}
	ctx, cancel := env.Within()
	defer cancel()
	program, err := newProgram(ctx, x.Command, values, folder)
	if err != nil {
		return 0, 0, err
	}
	defer program.close()
	env.Enter("")
	used, peak, err := program.run()
	if env.Elsewhere != nil {
		env.Elsewhere(used, peak)
	}
	env.Enter("files")
	if err != nil {
		return 0, 0, program.failed(err)
	}
	if _, err := os.Stat(values["model"]); errors.Is(err, os.ErrNotExist) {
		return 0, 0, program.failed(errors.New("it ended well, but wrote no {model}"))
	}
	if err := x.weights(w, p, env, values, folder); err != nil {
		return 0, 0, err
	}
	if len(x.Overhead) == 0 {
		return 0, 0, nil
	}
	values["model"] = filepath.Join(folder, "overhead") // some systems do not let a file be replaced that is open
	return timeProgram(env.Ctx(), x.Overhead, values, folder)
}

// weights reads w from {model}, or from what the program of Dump prints of it.
func (x *Program) weights(w []float64, p problem, env solvers.Env, values map[string]string, folder string) error {
	file, printed := values["model"], ""
	if len(x.Dump) > 0 {
		dump, err := newProgram(env.Ctx(), x.Dump, values, folder)
		if err != nil {
			return err
		}
		defer dump.close()
		if _, _, err := dump.run(); err != nil {
			return fmt.Errorf("dump: %w", dump.failed(err))
		}
		file, printed = dump.output.Name(), ", as "+x.Dump[0]+" prints it"
	}
	model, err := os.Open(file)
	if err != nil {
		return err
	}
	defer model.Close()
	if err := p.read(w, model); err != nil {
		return fmt.Errorf("{model} of %s%s, read as %s: %w", x.Command[0], printed, x.format(), err)
	}
	return nil
}

// format returns the format of the weights.
func (x *Program) format() string {
	if x.Data != "libsvm" {
		return x.Data
	}
	return x.Weights
}
