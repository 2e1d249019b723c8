package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

var (
	hint        = regexp.MustCompile("`(gaplab [^`]+)`|(?:with|see|folder|first|try): (gaplab [^;`\n]+[^;`\n.])")
	placeholder = regexp.MustCompile(`(^| |=)<?[A-Z]{2,}>?\b|\.\.\.`)
	word        = regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`)
)

// hints returns the commands that a text proposes: commands in backquotes, and commands after "with:", "see:" and
// similar words up to the end of the line. It omits commands with a placeholder in capitals, such as DIR.
func hints(text string) (found []string) {
	for _, m := range hint.FindAllStringSubmatch(text, -1) {
		command := m[1] + m[2]
		if !placeholder.MatchString(command) && !slices.Contains(found, command) {
			found = append(found, command)
		}
	}
	return found
}

// follow runs the commands that a text proposes, each in a copy of the working directory. It returns an error if the
// program refuses the arguments of a command. Experiments are only planned, not run.
func follow(getenv func(string) string, text string) error {
	for _, command := range hints(text) {
		args := words(command)[1:]
		if args[0] == "run" && !slices.Contains(args, "--help") {
			args = append(args, "--dry-run")
		}
		said, code, err := pasted(getenv, args)
		if err != nil {
			return err
		}
		if code == term.ExitUsage {
			return fmt.Errorf("the hint %q is refused: %s", command, said)
		}
	}
	return nil
}

// pasted runs a proposed command in a copy of the working directory, and returns its output and exit code.
func pasted(getenv func(string) string, args []string) (said string, code int, err error) {
	copied, err := os.MkdirTemp("", "hint")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(copied)
	here, err := os.Getwd()
	if err != nil {
		return "", 0, err
	}
	if err := errors.Join(os.CopyFS(copied, os.DirFS(here)), os.Chdir(copied)); err != nil {
		return "", 0, err
	}
	var text bytes.Buffer
	code = run(context.Background(), system{in: strings.NewReader(""), out: &text, err: &text, getenv: getenv}, args)
	return text.String(), code, os.Chdir(here)
}

// TestHints checks that hints finds the commands in a text.
func TestHints(t *testing.T) {
	text := "no data; get it with: gaplab data fetch mnist\n`gaplab run a.yaml --set 'C=[1, 2]'` makes them, or: " +
		"gaplab data fetch mnist --from DIR\nsee: gaplab run --help; `gaplab show`"
	want := []string{"gaplab data fetch mnist", "gaplab run a.yaml --set 'C=[1, 2]'", "gaplab run --help", "gaplab show"}
	if got := hints(text); !slices.Equal(got, want) {
		t.Errorf("hints = %q, want %q", got, want)
	}
	if got := words(want[1]); !slices.Equal(got, []string{"gaplab", "run", "a.yaml", "--set", "C=[1, 2]"}) {
		t.Errorf("words(%q) = %q, want 5 words without quotes", want[1], got)
	}
}

// words splits a command as a shell does: quotes keep words together.
func words(command string) (args []string) {
	for _, m := range word.FindAllStringSubmatch(command, -1) {
		args = append(args, m[1]+m[2]+m[3])
	}
	return args
}
