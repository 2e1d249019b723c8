package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

// newMan returns the hidden command that writes the manual pages for the archives of a release.
func newMan(sys system) *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write manual pages of all commands",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return term.Usage("%w", err)
			}
			date := built()
			header := &doc.GenManHeader{Title: "GAPLAB", Section: "1", Source: "gaplab", Manual: "gaplab", Date: &date}
			cmd.Root().DisableAutoGenTag = true
			forPages(cmd.Root())
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return err
			}
			fmt.Fprintln(sys.out, args[0])
			return nil
		},
	}
}

// forPages changes the texts of a command and of those below it: manual pages are made from Markdown, in which indented
// lines stay as they are only if they are indented by four spaces and follow an empty line.
func forPages(cmd *cobra.Command) {
	cmd.Long = regexp.MustCompile(`(?m)((?:^  .*\n?)+)`).ReplaceAllStringFunc(cmd.Long, func(block string) string {
		return "\n" + regexp.MustCompile(`(?m)^  `).ReplaceAllString(block, "    ") + "\n"
	})
	for _, c := range cmd.Commands() {
		forPages(c)
	}
}

// built returns the time of the commit of this program, so that equal sources give equal pages; 1970 if it is not
// known.
func built() time.Time {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return t
			}
		}
	}
	return time.Unix(0, 0).UTC()
}
