package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value    string
	accepted []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.accepted, "|") }

// Set refuses other words, with those that are right.
func (c *choice) Set(s string) error {
	if !slices.Contains(c.accepted, s) {
		return fmt.Errorf("accepted: %s", strings.Join(c.accepted, ", "))
	}
	c.value = s
	return nil
}

// addTo defines the flag, and completes it.
func (c *choice) addTo(cmd *cobra.Command, name, use string) {
	cmd.Flags().Var(c, name, use)
	if err := cmd.RegisterFlagCompletionFunc(name,
		cobra.FixedCompletions(c.accepted, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("gaplab: flag " + name + ": " + err.Error()) // it was defined a line ago
	}
}

// addFormat defines --format with what a verb can write.
func addFormat(cmd *cobra.Command) *choice {
	format := &choice{"text", []string{"text", "json", "csv", "md"}}
	format.addTo(cmd, "format", "how to print; json is one object a line")
	return format
}
