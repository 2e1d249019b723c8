package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/internal/machine"
)

// Net is something that may catch a bug.
type Net struct {
	Name  string
	About string
	// cast runs in a tree with the bug planted, and in one without.
	cast func(ctx context.Context, dir string, b Bug) (outcome, error)
	// compares: it catches a bug if what it prints is not what it prints without the bug. Else if it fails.
	compares bool
}

// outcome is what came of casting a net.
type outcome struct {
	failed bool
	by     string // the first test that failed, or curve that moved
	text   string // what is compared
}

// Cheap is the number of nets that are cast before each merge.
const Cheap = 2

// Nets are all nets, in the order of their cost.
func Nets() []Net {
	return []Net{
		{Name: "compile", About: "`go vet` of the package", cast: vet},
		{Name: "unit", About: "`go test` of the package", cast: unit},
		{Name: "suites", About: "`go test` of the room: with solvers and models all conformance suites", cast: suites},
		{Name: "full", About: "`go test ./...`", cast: full},
		{Name: "gate", About: "`gaplab check --exact` of experiments that use the part", cast: gate},
		{Name: "claims", About: "`gaplab claims` of the kept results says something else", cast: kept, compares: true},
	}
}

func vet(ctx context.Context, dir string, b Bug) (outcome, error) {
	out, err := command(ctx, dir, "go", "vet", b.Package())
	return outcome{failed: err != nil, by: firstLine(out, "#")}, refusal(ctx, err)
}

// unit are the tests of the package, the quick ones first.
func unit(ctx context.Context, dir string, b Bug) (outcome, error) {
	if quick, err := test(ctx, dir, "-short", "-timeout=5m", b.Package()); quick.failed || err != nil {
		return quick, err
	}
	return test(ctx, dir, "-timeout=10m", b.Package())
}

// suites are the tests of the room. A solver or a model is met in those of its neighbours as well, and in the list's.
func suites(ctx context.Context, dir string, b Bug) (outcome, error) {
	room, _, _ := strings.Cut(b.File, "/")
	folders := []string{"./" + room + "/..."}
	switch room {
	case "models", "solvers", "inference":
		folders = []string{"./models/...", "./solvers/...", "./inference/...", "./catalogue/..."}
	case "datasets":
		folders = append(folders, "./catalogue/...")
	}
	return test(ctx, dir, append([]string{"-timeout=10m"}, folders...)...)
}

// full are all tests but those of this package, which look for the old texts of bugs.
func full(ctx context.Context, dir string, _ Bug) (outcome, error) {
	out, err := command(ctx, dir, "go", "list", "./...")
	if err != nil {
		return outcome{failed: true, by: firstLine(out, "#")}, refusal(ctx, err)
	}
	self := reflect.TypeFor[Bug]().PkgPath()
	others := slices.DeleteFunc(strings.Fields(out), func(pkg string) bool { return pkg == self })
	return test(ctx, dir, append([]string{"-timeout=15m"}, others...)...)
}

func test(ctx context.Context, dir string, args ...string) (outcome, error) {
	out, err := command(ctx, dir, "go", append([]string{"test", "-failfast"}, args...)...)
	return outcome{failed: err != nil, by: failure(out)}, refusal(ctx, err)
}

func gate(ctx context.Context, dir string, b Bug) (outcome, error) {
	gaplab, err := built(ctx, dir)
	if err != nil {
		return outcome{}, err
	}
	defer os.Remove(gaplab)
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	out, err := command(ctx, dir, gaplab, append([]string{"check", "--exact", "--format=json"}, b.Gate...)...)
	return outcome{failed: err != nil, by: moved(out)}, refusal(ctx, err)
}

// kept is what claims say of the results that git keeps. Some are not reproduced, with the bug and without.
func kept(ctx context.Context, dir string, _ Bug) (outcome, error) {
	gaplab, err := built(ctx, dir)
	if err != nil {
		return outcome{}, err
	}
	defer os.Remove(gaplab)
	papers, err := os.ReadDir(filepath.Join(dir, "experiments"))
	if err != nil {
		return outcome{}, err
	}
	var all strings.Builder
	for _, p := range papers {
		if !p.IsDir() {
			continue
		}
		out, err := command(ctx, dir, gaplab, "claims", p.Name(), "--scale=paper", "--format=json")
		if err := refusal(ctx, err); err != nil {
			return outcome{}, err
		}
		all.WriteString(out)
	}
	return outcome{text: all.String()}, nil
}

// built is the program made of a tree, in a file of its own.
func built(ctx context.Context, dir string) (path string, err error) {
	file, err := os.CreateTemp("", "gaplab-planted-*.exe")
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	if out, err := command(ctx, dir, "go", "build", "-o", file.Name(), "./cmd/gaplab"); err != nil {
		os.Remove(file.Name())
		return "", errors.Join(err, errors.New(out))
	}
	return file.Name(), nil
}

// command runs a program in a tree, as on a machine without data, and returns what it prints.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GAPLAB_") })
	machine.Group(cmd)
	cmd.Cancel = func() error {
		machine.EndGroup(cmd, true)
		return nil
	}
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	return out.String(), err
}

// refusal is an error that is no outcome: the round is over, or the program cannot be run. A net that runs into its own
// limit has failed.
func refusal(ctx context.Context, err error) error {
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case err == nil || errors.Is(cause, context.DeadlineExceeded):
		return nil
	case cause != nil:
		return cause
	case !errors.As(err, &exit):
		return err
	}
	return nil
}

// failure names the first test that failed in the output of go test, and its package.
func failure(out string) string {
	first := regexp.MustCompile(`(?m)^--- FAIL: (\S+)|^(panic: .*)$|^FAIL\t\S+ \[build failed\]`)
	found := first.FindStringSubmatchIndex(out)
	if found == nil {
		return firstLine(out, "ok")
	}
	name := "the compiler"
	for _, group := range []int{2, 4} {
		if found[group] >= 0 {
			name = out[found[group]:found[group+1]]
		}
	}
	if pkg := regexp.MustCompile(`(?m)^FAIL\t(\S+)`).FindStringSubmatch(out[found[0]:]); pkg != nil {
		name += " of " + strings.TrimPrefix(pkg[1], gaplab.Module+"/")
	}
	return name
}

// moved names the first curve that is not as its reference in the output of the gate, or the first message.
func moved(out string) string {
	for line := range strings.Lines(out) {
		var c struct {
			Experiment, Curve string
			OK                *bool
		}
		if json.Unmarshal([]byte(line), &c) == nil && c.OK != nil && !*c.OK {
			return c.Experiment + ", " + c.Curve
		}
	}
	return firstLine(out, "{")
}

// claimed names the claim of a line of verdicts, or is the line.
func claimed(line string) string {
	var v struct{ Experiment, Claim string }
	if json.Unmarshal([]byte(line), &v) != nil || v.Claim == "" {
		return strings.TrimSpace(line)
	}
	return "claim " + v.Experiment + "/" + v.Claim
}

// firstLine is the first line that does not begin with a prefix.
func firstLine(out, unlike string) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, unlike) {
			return line
		}
	}
	return ""
}
