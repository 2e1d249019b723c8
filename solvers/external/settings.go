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

// Program runs a program that the user has installed, such as LIBLINEAR (Debian's package liblinear-tools), as a
// solver. gaplab evaluates the program's weights by the same code as the weights of its own solvers. An example in a
// spec:
//
//	solvers:
//	  - as: liblinear
//	    name: external
//	    command: [liblinear-train, -s, "3", -c, "{C}", -e, "{eps}", "{data}", "{model}"]
//	    overhead: [liblinear-train, -s, "3", -c, "{C}", -e, "1e9", "{data}", "{model}"]
//
// LIBLINEAR solves problems in which a labelling is one part: models binary (-s 3; for the log loss -s 0 or 7) and
// multiclass (-s 4). The program reads rows x_i, labels y_i and a C (Fan et al. 2008, LIBLINEAR, section 2), and
// computes the v that minimises
//
//	½|v|² + C Σ_i ℓ_i(v),   ℓ_i(v) = max(0, 1 − m_i)  or  log(1 + exp(−m_i)),   m_i = y_i v·x_i
//	                        (several classes: m_i = min_{c ≠ y_i} (v_{y_i} − v_c)·x_i)
//
// Let s be the factor of the label loss s·[y ≠ y_i] or, for the log loss, its temperature. With w = s·v, the objectives
// of gaplab and the program are equal up to a factor:
//
//	P(w) = λ s² (½|v|² + C Σ_i ℓ_i(v)),   C = 1/(λ n s)
//
// Two programs train on sequences with a label at each position (model chain). CRFsuite (Okazaki 2007) has the
// objective c2 |v|² + Σ_i ℓ_i(v) with the log loss. SVM-HMM (Joachims, Finley and Yu 2009) has the objective ½|v|² +
// Cn/n Σ_i ℓ_i(v) with the hinge loss; its label loss is the number of wrong labels:
//
//	command: [crfsuite, learn, -p, feature.possible_states=1, -p, feature.possible_transitions=1, -p, "c2={c2}",
//	  -m, "{model}", "{data}"]
//	dump: [crfsuite, dump, "{model}"]
//	command: [svm_hmm_learn, -c, "{Cn}", -e, "{eps}", "{data}", "{model}"]
//
// SVM-multiclass, of the same authors, trains on classes with slack rescaling (-o 1) or margin rescaling (-o 2), and
// with the label loss 100 (svmmulticlass.go). SVM-light and LIBSVM support kernels, for model kernel with two classes
// (kernels.go). SVM-light has no bias. LIBSVM does not penalise its bias. If the model's setting bias is large, the
// model's penalty on the bias is almost 0. The settings for these programs are:
//
//	command: [svm_multiclass_learn, -o, "1", -c, "{Cn}", -e, "{eps}", "{data}", "{model}"]
//	weights: svm-multiclass
//	command: [svm_learn, -b, "0", -t, "2", -g, "{gamma}", -c, "{C}", -e, "{eps}", -a, "{model}", "{data}", /dev/null]
//	weights: dense
//	command: [svm-train, -t, "2", -g, "{gamma}", -c, "{C}", -e, "{eps}", "{data}", "{model}"]
//	weights: libsvm
//
// Train yields w = 0 and then the program's w. The time of the run is the program's time, which includes the time to
// read its data. The command Overhead measures the time to start and to read the data. gaplab writes and reads the
// files while the clock is stopped. No oracle is called.
type Program struct {
	// the program and its arguments; {data} is the file that the program reads, {model} the file that it writes,
	// {C} is LIBLINEAR's C, {Cn} is C n, {c2} is 1/(2 C), {lambda} is 1/(C n), {n} is the number of examples,
	// {features} is the number of features, {gamma}, {coef} and {degree} are the settings of the kernel, {eps} is the
	// setting eps
	Command []string `yaml:"command" jsonschema:"required,minItems=1"`
	// format of {data}; libsvm: a line for each example, with labels +1 and -1 (model binary) or 1 to k (multiclass); for
	// model chain, a line for each position: crfsuite, with labels 0 to k-1, or svm-hmm, with labels 1 to k
	Data string `yaml:"data" jsonschema:"enum=libsvm,enum=crfsuite,enum=svm-hmm"`
	// format of {model}; liblinear, svm-multiclass, libsvm: the model file of this program (libsvm is for model kernel);
	// dense: one number per line: the weight of each feature; for model multiclass, the weight of each class for each
	// feature; for model kernel, the coefficient of each example; leave weights out with data: crfsuite and data: svm-hmm
	Weights string `yaml:"weights" jsonschema:"enum=liblinear,enum=dense,enum=svm-multiclass,enum=libsvm"`
	// value of {eps}, the program's tolerance
	Eps float64 `yaml:"eps" jsonschema:"exclusiveMinimum=0"`
	// a command that runs the same program without optimising, for example with a huge tolerance; its wall-clock time is
	// the column overhead_seconds, and its CPU time is the column overhead_cpu_seconds
	Overhead []string `yaml:"overhead"`
	// a command that prints the weights of {model} as text, needed if the file {model} is not text; its time does not
	// count
	Dump []string `yaml:"dump"`
}

var _ solvers.Trainer = (*Program)(nil)

// New returns a Program with its default settings.
func New() *Program { return &Program{Data: "libsvm", Weights: "liblinear", Eps: 0.1} }

// Validate returns an error if the settings are invalid for any problem.
func (x *Program) Validate() error {
	if len(x.Command) == 0 {
		return errors.New("command is empty: want a program and its arguments")
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

// Needs implements Solver. Program needs sparse rows. With data: libsvm, it also needs labellings of one part.
func (x *Program) Needs() solvers.Needs {
	return solvers.Needs{OnePart: x.Data == "libsvm", Features: solvers.Sparse, Norm: x.Data == "libsvm"}
}

// Check implements Checker.
func (x *Program) Check(o models.Objective) error {
	_, err := x.prepare(o.(*models.Risk))
	return err
}

// prepare returns p in the form that the program needs, or an error if the settings do not fit p.
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
	if v := lacking(out.values(x.Eps), x.Command, x.Overhead, x.Dump); v != "" {
		return nil, solvers.Lacking("needs a problem with a kernel, because a command contains %s; this problem has none", v)
	}
	return out, nil
}

// recognise returns p in the form that the settings Data and Weights need, or an error if p does not have this form.
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
		case env.Err() != nil: // gaplab ended the program
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

// train writes the data, runs the program, and reads its weights into w. It returns the wall-clock and CPU times of the
// command Overhead, or 0 without this command.
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
		return 0, 0, program.failed(errors.New("the program succeeded but wrote no {model}"))
	}
	if err := x.weights(w, p, env, values, folder); err != nil {
		return 0, 0, err
	}
	if len(x.Overhead) == 0 {
		return 0, 0, nil
	}
	values["model"] = filepath.Join(folder, "overhead") // not the file {model}: some systems cannot replace an open file
	return timeProgram(env.Ctx(), x.Overhead, values, folder)
}

// weights reads w from {model}, or from the output of the command Dump.
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

// format returns the format of the weights, for error messages.
func (x *Program) format() string {
	if x.Data != "libsvm" {
		return x.Data
	}
	return x.Weights
}

// Certifies implements Certifier: the program ends at the precision that its own settings ask for.
func (*Program) Certifies() bool { return true }
