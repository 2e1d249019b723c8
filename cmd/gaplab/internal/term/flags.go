package term

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Choice is a flag whose value is one of a few words.
type Choice struct {
	Value    string // current value
	Accepted []string
}

// String returns the current value.
func (c *Choice) String() string { return c.Value }

// Type returns the accepted words, which --help shows as the type of the flag.
func (c *Choice) Type() string { return strings.Join(c.Accepted, "|") }

// Set sets the value. If the word is not accepted, it returns an error with the accepted words.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Accepted, s) {
		return fmt.Errorf("accepted: %s", strings.Join(c.Accepted, ", "))
	}
	c.Value = s
	return nil
}

// AddTo adds the flag, and its completion in shells, to a command.
func (c *Choice) AddTo(cmd *cobra.Command, name, use string) {
	cmd.Flags().Var(c, name, use)
	if err := cmd.RegisterFlagCompletionFunc(name,
		cobra.FixedCompletions(c.Accepted, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("gaplab: flag " + name + ": " + err.Error()) // impossible: the flag is defined above
	}
}

// AddFormat adds the flag --format to a command. Its values are the formats of Results, and the formats in more, which
// only this command has.
func AddFormat(cmd *cobra.Command, more ...string) *Choice {
	format := &Choice{"text", append([]string{"text", "json", "csv", "md"}, more...)}
	format.AddTo(cmd, "format", "format of the output; json prints one object per line")
	return format
}
