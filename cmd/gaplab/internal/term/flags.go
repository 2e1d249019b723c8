package term

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Choice is a flag that takes one of a few words.
type Choice struct {
	Value    string // what is set
	Accepted []string
}

// String is the word that is set.
func (c *Choice) String() string { return c.Value }

// Type is what --help shows in the place of the value.
func (c *Choice) Type() string { return strings.Join(c.Accepted, "|") }

// Set refuses other words, with those that are right.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Accepted, s) {
		return fmt.Errorf("accepted: %s", strings.Join(c.Accepted, ", "))
	}
	c.Value = s
	return nil
}

// AddTo defines the flag, and completes it.
func (c *Choice) AddTo(cmd *cobra.Command, name, use string) {
	cmd.Flags().Var(c, name, use)
	if err := cmd.RegisterFlagCompletionFunc(name,
		cobra.FixedCompletions(c.Accepted, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("gaplab: flag " + name + ": " + err.Error()) // it was defined a line ago
	}
}

// AddFormat defines --format with the formats that Results writes, and those that only this command does.
func AddFormat(cmd *cobra.Command, more ...string) *Choice {
	format := &Choice{"text", append([]string{"text", "json", "csv", "md"}, more...)}
	format.AddTo(cmd, "format", "output format; json is one object per line")
	return format
}
