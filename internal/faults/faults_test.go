//go:build linux

package faults

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	full   = flag.Bool("full", false, "cause every fault as often as the page states")
	update = flag.Bool("update", false, "write docs/FAULTS.md")
)

// page is the path of docs/FAULTS.md.
const page = "../../docs/FAULTS.md"

// fault is a row of the first table of docs/FAULTS.md: something that goes wrong, and how gaplab ends.
type fault struct {
	what        string
	few, tries  int // numbers of tries: "few" is used without the flag -full, "tries" with it
	make        func(g *gaplab, try int) (said string, err error)
	survived, n int
	said        string
}

// gaplab runs the program gaplab in a folder. Each fault has a separate folder.
type gaplab struct {
	t       *testing.T
	program string
	dir     string
}

func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test starts the program hundreds of times")
	}
	program := filepath.Join(t.TempDir(), "gaplab")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gaplab").CombinedOutput(); err != nil {
		t.Fatalf("go build ./cmd/gaplab: %v\n%s", err, out)
	}
	list := slices.Concat(signals(), memory(), specs(), traces(), crates(), states(), kills())
	for i := range list {
		f := &list[i]
		g := &gaplab{t, program, t.TempDir()}
		f.n = f.few
		if *full {
			f.n = f.tries
		}
		begun := time.Now()
		for try := range f.n {
			said, err := f.make(g, try)
			if err != nil {
				t.Errorf("%s, try %d: %v", f.what, try+1, err)
				continue
			}
			f.survived++
			f.said = said
		}
		t.Logf("%s: %.1f s", f.what, time.Since(begun).Seconds())
	}
	if *update {
		write(t, "faults", table(list))
	}
}

// table returns the faults as a table in Markdown.
func table(list []fault) string {
	var b strings.Builder
	b.WriteString("| fault | tries | survived | message |\n| --- | ---: | ---: | --- |\n")
	for _, f := range list {
		if f.n > 0 {
			fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", f.what, f.n, f.survived, strings.ReplaceAll(f.said, "|", "\\|"))
		}
	}
	return b.String()
}

// write replaces the text between the marks <!-- mark --> and <!-- end of mark --> of docs/FAULTS.md.
func write(t *testing.T, mark, text string) {
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks <!-- %s --> or <!-- end of %[2]s -->", page, mark)
	}
	if err := os.WriteFile(page, []byte(before+begin+"\n"+text+"\n"+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// file writes a file in the folder.
func (g *gaplab) file(name, text string) {
	if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// command returns a command line that is killed after a minute. The caller must call cancel.
func (g *gaplab) command(args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(g.t.Context(), time.Minute)
	cmd := exec.CommandContext(ctx, g.program, args...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "GAPLAB_DATA=", "XDG_CACHE_HOME="+filepath.Join(g.dir, "cache"))
	return cmd, cancel
}

// refused runs a command line. The command must end within a minute with the exit code, print a line that matches
// message, and use at most 200 MB of memory. refused returns this line, or an error if the command breaks a condition.
func (g *gaplab) refused(code int, message string, args ...string) (string, error) {
	cmd, cancel := g.command(args...)
	defer cancel()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return "", fmt.Errorf("exit code %d, want %d:\n%s", got, code, out)
	}
	found := regexp.MustCompile("(?m)^(?:gaplab: |my/).*" + message + ".*$").FindString(string(out))
	if found == "" {
		return "", fmt.Errorf("no line of the output matches %q:\n%s", message, out)
	}
	if peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; peak > 200<<20 {
		return "", fmt.Errorf("the program used %d MB of memory, want at most 200", peak>>20)
	}
	return regexp.MustCompile(`^(gaplab: )?(my/[a-z]+: )?`).ReplaceAllString(shortened(found), ""), nil
}

// shortened returns a text, cut to 200 characters.
func shortened(text string) string {
	if r := []rune(text); len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return text
}
