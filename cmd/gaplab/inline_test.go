package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestCommandsParse checks that the commands which the pages name within a text, the commands of TestReadme that need
// data, and the examples of the help have existing names and flags.
func TestCommandsParse(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	span := regexp.MustCompile("`(gaplab [^`]*)`")
	var lines int
	for _, pattern := range []string{"*.md", "docs/*.md", "solvers/*.md", "articles/*/*.md", "experiments/*/*.md",
		".github/*/*.md", ".github/*/*.yml"} {
		pages, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(page) == "CHANGELOG.md" || filepath.Base(page) == "MISTAKES.md" {
				continue // commands of older versions, and wrong commands
			}
			for _, m := range span.FindAllStringSubmatch(string(text), -1) {
				lines++
				parses(t, filepath.Base(page), strings.Join(strings.Fields(m[1]), " "))
			}
			for _, block := range fenced(string(text)) {
				if block.language == "sh" {
					commands, _ := shellLines(block.text)
					for _, line := range commands {
						lines++
						parses(t, filepath.Base(page), line)
					}
				}
			}
		}
	}
	var examples func(cmd *cobra.Command)
	examples = func(cmd *cobra.Command) {
		commands, _ := shellLines(cmd.Example)
		for _, line := range commands {
			lines++
			parses(t, cmd.CommandPath(), line)
		}
		for _, c := range cmd.Commands() {
			examples(c)
		}
	}
	examples(program())
	if lines < 200 {
		t.Errorf("found %d commands, want at least 200", lines)
	}
}

// program returns the command line of gaplab, for its names and flags.
func program() *cobra.Command {
	root := newRoot(system{in: strings.NewReader(""), out: io.Discard, err: io.Discard,
		getenv: func(string) string { return "" }})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}

// parses checks the names and the flags of a command.
func parses(t *testing.T, page, line string) {
	t.Helper()
	command := regexp.MustCompile(`\s(#|\||>|&&|<).*`).ReplaceAllString(line, "")
	command = regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(command, "text")
	args := strings.Fields(command)[1:]
	cmd, rest, err := program().Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && !cmd.HasParent() && cmd.Flags().NArg() > 0 {
		err = fmt.Errorf("no command %s", cmd.Flags().Arg(0))
	}
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		t.Errorf("%s: %s: %v", page, line, err)
	}
}
