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
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
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
// It works where a labelling is one part: models binary (-s 3; for the log loss -s 0 or 7) and multiclass (-s 4). The
// program is given rows x_i, labels y_i and a C (Fan et al. 2008, LIBLINEAR, section 2), and finds the v that minimises
//
//	½|v|² + C Σ_i ℓ_i(v),   ℓ_i(v) = max(0, 1 − m_i)  or  log(1 + exp(−m_i)),   m_i = y_i v·x_i
//	                        (several classes: m_i = min_{c ≠ y_i} (v_{y_i} − v_c)·x_i)
//
// With label loss s·[y ≠ y_i], or s = τ for the log loss, w = s·v makes the two objectives one:
//
//	P(w) = λ s² (½|v|² + C Σ_i ℓ_i(v)),   C = 1/(λ n s)
//
// Train yields w = 0 and the program's w. The program's seconds are those of the run, its reading of the data included:
// Overhead measures what that costs. The files are written and read off the clock. No oracle is called.
type Program struct {
	// the program and its arguments; {data} and {model} are the files to read and to write, {C} is LIBLINEAR's
	// C, {lambda} is 1/(C n), {n} the number of examples, {eps} the setting eps
	Command []string `yaml:"command" jsonschema:"required,minItems=1"`
	// format of {data}: libsvm, with labels +1 and -1 (model binary) or 1 to k (multiclass)
	Data string `yaml:"data" jsonschema:"enum=libsvm"`
	// format of {model}: liblinear, its model file; dense, one number a line: each feature, for multiclass each
	// class of it
	Weights string `yaml:"weights" jsonschema:"enum=liblinear,enum=dense"`
	// value of {eps}, the program's tolerance
	Eps float64 `yaml:"eps" jsonschema:"exclusiveMinimum=0"`
	// the same program asked to do no work, such as with a huge tolerance: its seconds become the column
	// overhead_seconds, those of the CPU overhead_cpu_seconds
	Overhead []string `yaml:"overhead"`
}

var _ solvers.Trainer = (*Program)(nil)

// New is Program with its default settings.
func New() *Program { return &Program{Data: "libsvm", Weights: "liblinear", Eps: 0.1} }

// Validate reports settings that no problem could make work.
func (x *Program) Validate() error {
	if len(x.Command) == 0 {
		return errors.New("command is empty: want the program and its arguments")
	}
	if err := checkCommand(x.Command, "data", "model"); err != nil {
		return fmt.Errorf("command: %w", err)
	}
	if len(x.Overhead) == 0 {
		return nil
	}
	if err := checkCommand(x.Overhead, "data"); err != nil {
		return fmt.Errorf("overhead: %w", err)
	}
	return nil
}

// Needs implements Solver: classes, on sparse rows.
func (*Program) Needs() solvers.Needs {
	return solvers.Needs{OnePart: true, Features: solvers.Sparse}
}

// Check implements Checker.
func (x *Program) Check(o models.Objective) error {
	_, err := x.prepare(o.(*models.Risk))
	return err
}

func (x *Program) prepare(p *models.Risk) (*rowProblem, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	for _, c := range [][]string{x.Command, x.Overhead} {
		if len(c) == 0 {
			continue
		}
		if err := installed(c[0]); err != nil {
			return nil, fmt.Errorf("%w: %w", solvers.ErrUnsupported, err)
		}
	}
	rows, err := newRowProblem(p)
	if err == nil && x.Weights == "liblinear" {
		err = rows.liblinear()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", solvers.ErrUnsupported, err)
	}
	return rows, nil
}

// Train implements Trainer.
func (x *Program) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(x, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		rows, err := x.prepare(p)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		w := make([]float64, p.Dim)
		if !yield(solvers.Iterate{W: w}, nil) {
			return
		}
		it := solvers.Iterate{W: w, Epoch: 1}
		wall, cpu, err := x.train(w, rows, env)
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
func (x *Program) train(w []float64, rows *rowProblem, env solvers.Env) (wall, cpu time.Duration, err error) {
	env.Enter("files")
	defer env.Enter("")
	folder, err := os.MkdirTemp("", "gaplab-external-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(folder)
	values := rows.values(x.Eps)
	values["data"], values["model"] = filepath.Join(folder, "data"), filepath.Join(folder, "model")
	if err := writeFile(values["data"], rows.writeLIBSVM); err != nil {
		return 0, 0, err
	}
	program, err := newProgram(env, x.Command, values, folder)
	if err != nil {
		return 0, 0, err
	}
	defer program.close()
	env.Enter("")
	used, err := program.run()
	if env.Elsewhere != nil {
		env.Elsewhere(used)
	}
	env.Enter("files")
	if err != nil {
		return 0, 0, program.failed(err)
	}
	model, err := os.Open(values["model"])
	if errors.Is(err, os.ErrNotExist) {
		return 0, 0, program.failed(errors.New("it ended well, but wrote no {model}"))
	} else if err != nil {
		return 0, 0, err
	}
	defer model.Close()
	if err := x.read(w, rows, model); err != nil {
		return 0, 0, fmt.Errorf("{model} of %s, read as %s: %w", x.Command[0], x.Weights, err)
	}
	dualspace.Scale(w, rows.scale)
	if len(x.Overhead) == 0 {
		return 0, 0, nil
	}
	values["model"] = filepath.Join(folder, "overhead") // some systems do not let a file be replaced that is open
	return timeProgram(env, x.Overhead, values, folder)
}

func (x *Program) read(w []float64, rows *rowProblem, model *os.File) error {
	if x.Weights == "dense" {
		return readDense(w, model)
	}
	return rows.readLIBLINEAR(w, model)
}
