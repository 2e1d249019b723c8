package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab/internal/machine"
)

// variable matches a name in braces, such as {C}. Other text in braces is left as it is, because shells and awk use
// braces.
var variable = regexp.MustCompile(`\{[A-Za-z_][A-Za-z_0-9]*\}`)

// variables are the names that an argument of Program may use.
const variables = "{data}, {model}, {C}, {Cn}, {c2}, {lambda}, {n}, {features}, {gamma}, {coef}, {degree}, {eps}"

// checkCommand returns an error if a command does not name a program, has an unknown variable, or lacks one of the
// variables in must.
func checkCommand(command []string, must ...string) error {
	if command[0] == "" {
		return errors.New("the program's name is empty")
	}
	if v := variable.FindString(command[0]); v != "" {
		return fmt.Errorf("the program's name contains the variable %s: want a name or a path", v)
	}
	for _, argument := range command[1:] {
		for _, v := range variable.FindAllString(argument, -1) {
			if !slices.Contains(strings.Split(variables, ", "), v) {
				return fmt.Errorf("argument %q contains the unknown variable %s; accepted: %s", argument, v, variables)
			}
		}
	}
	for _, name := range must {
		v := "{" + name + "}"
		if !slices.ContainsFunc(command[1:], func(argument string) bool { return strings.Contains(argument, v) }) {
			return fmt.Errorf("no argument contains %s, the path of a file that the program needs", v)
		}
	}
	return nil
}

// lacking returns the first variable in the commands for which values has no value, or "" if there is no such variable.
func lacking(values map[string]string, commands ...[]string) string {
	for _, argument := range slices.Concat(commands...) {
		for _, v := range variable.FindAllString(argument, -1) {
			name := v[1 : len(v)-1]
			if _, known := values[name]; !known && name != "data" && name != "model" {
				return v
			}
		}
	}
	return ""
}

// expand returns the arguments with each variable replaced by its value.
func expand(arguments []string, values map[string]string) []string {
	out := make([]string, len(arguments))
	for i, a := range arguments {
		out[i] = variable.ReplaceAllStringFunc(a, func(v string) string { return values[v[1:len(v)-1]] })
	}
	return out
}

// installed returns nil if a program is installed. Otherwise it returns an error that names the places where it was
// searched for.
func installed(name string) error {
	switch _, err := exec.LookPath(name); {
	case err == nil:
		return nil
	case filepath.Base(name) != name:
		return fmt.Errorf("not installed: %s (%w)", name, errors.Unwrap(err))
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("not installed: %s (searched for in PATH)", name)
	default:
		return fmt.Errorf("not installed: %s (searched for in PATH: %w)", name, err)
	}
}

// program is a command that is ready to run. Its output is written to a file directly, so that gaplab spends no time on
// copying the output while the clock runs.
type program struct {
	ctx     context.Context
	command *exec.Cmd
	output  *os.File
	name    string // the program's name, for error messages
	folder  string // the temporary folder of the program's files
}

// newProgram prepares a command, with its variables replaced by their values. What the program prints goes to a file in
// folder.
func newProgram(ctx context.Context, command []string, values map[string]string, folder string) (*program, error) {
	output, err := os.CreateTemp(folder, "output-")
	if err != nil {
		return nil, err
	}
	c := exec.Command(command[0], expand(command[1:], values)...)
	c.Stdout, c.Stderr = output, output
	machine.Group(c)
	return &program{ctx, c, output, command[0], folder}, nil
}

// run runs the program. It returns the program's CPU time and its largest resident memory in bytes, or 0 if the memory
// is not known. The operating system also reports the memory of a child process that has ended. But that number
// includes the memory of gaplab's process, because the child began as a copy of gaplab's process. So run reads the
// program's memory every few milliseconds while the program runs. The memory of the program's own children does not
// count. When ctx ends, run asks the program and its children to end, and kills them half a second later. The error is
// then the cause of ctx. After run, none of these processes remains.
func (p *program) run() (cpu time.Duration, peak int64, err error) {
	const (
		every    = 5 * time.Millisecond
		patience = 500 * time.Millisecond
	)
	if err := context.Cause(p.ctx); err != nil {
		return 0, 0, err
	}
	if err := p.command.Start(); err != nil {
		return 0, 0, err
	}
	ended := make(chan error)
	go func() { ended <- p.command.Wait() }()
	defer machine.EndGroup(p.command, true)
	looks := time.NewTicker(every)
	defer looks.Stop()
	over, force := p.ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case err := <-ended:
			state := p.command.ProcessState
			if cause := context.Cause(p.ctx); cause != nil {
				err = cause
			}
			return state.UserTime() + state.SystemTime(), peak, err
		case <-over:
			machine.EndGroup(p.command, false)
			over, force = nil, time.After(patience)
		case <-force:
			machine.EndGroup(p.command, true)
		case <-looks.C:
			peak = max(peak, machine.PeakOf(p.command.Process.Pid))
		}
	}
}

// close closes the output file.
func (p *program) close() { p.output.Close() }

// failed returns err with the last lines that the program printed. It removes the path of the temporary folder from
// these lines, because the folder will no longer exist, and the same failure should give the same text in every run.
func (p *program) failed(err error) error {
	const most, lines = 4096, 10
	size, seekErr := p.output.Seek(0, io.SeekEnd)
	text := make([]byte, min(size, most))
	if _, readErr := p.output.ReadAt(text, size-int64(len(text))); seekErr != nil || readErr != nil && readErr != io.EOF {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	said := strings.TrimSpace(strings.ReplaceAll(string(text), p.folder+string(filepath.Separator), ""))
	if said == "" {
		return fmt.Errorf("%s: %w (it printed nothing)", p.name, err)
	}
	last := strings.Split(said, "\n")
	last = last[max(0, len(last)-lines):]
	return fmt.Errorf("%s: %w; it printed:\n  %s", p.name, err, strings.Join(last, "\n  "))
}

// timeProgram runs a command and returns its wall-clock time and its CPU time.
func timeProgram(ctx context.Context, command []string, values map[string]string, folder string) (wall,
	cpu time.Duration, err error) {
	p, err := newProgram(ctx, command, values, folder)
	if err != nil {
		return 0, 0, err
	}
	defer p.close()
	start := time.Now()
	if cpu, _, err = p.run(); err != nil {
		return 0, 0, fmt.Errorf("overhead: %w", p.failed(err))
	}
	return time.Since(start), cpu, nil
}
