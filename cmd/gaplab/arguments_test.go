package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestArgumentsAreCounted checks that each command that does something limits the number of its arguments, except those
// whose usage has three dots. Without a limit, cobra accepts further arguments, which the command would ignore.
func TestArgumentsAreCounted(t *testing.T) {
	n := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			if below.Runnable() {
				if n++; below.Args == nil && !strings.Contains(below.Use, "...") {
					t.Errorf("%s: no limits on the number of arguments", below.CommandPath())
				}
			}
			visit(below)
		}
	}
	visit(newRoot(system{out: io.Discard, err: io.Discard, getenv: func(string) string { return "" }}))
	if n < 20 {
		t.Errorf("%d commands, want at least 20", n)
	}
}
