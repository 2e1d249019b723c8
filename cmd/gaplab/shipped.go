package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/internal/replace"
	"github.com/gaplab/gaplab/results"
)

// shippedHelp is a paragraph of the help of commands that read the results that come with gaplab.
const shippedHelp = `If there are no other results, the smoke results are those in the program. The
results at paper scale are then fetched once into the cache (XDG_CACHE_HOME, or
~/.cache) from the place that the variable GAPLAB_RESULTS names: the folder
results of a checkout, the path or URL of an archive that gaplab baseline
archive made, or a crate of all results (gaplab archive).`

// shipped returns the results that come with gaplab. A download ends when the context of cmd ends.
func (sys system) shipped(cmd *cobra.Command) *shipped.Results {
	return shipped.New(shipped.Config{
		Inside: results.References, Scales: results.Archived(), SHA256: results.Sum(), From: sys.getenv(shipped.Variable),
		Source: sys.source(false), Context: cmd.Context, Note: sys.noteShipped,
	})
}

// noteShipped prints the place of results that come with gaplab. In a cell of a notebook it prints the note to standard
// output, because a cell fails `gaplab notebook run` if it writes to standard error.
func (sys system) noteShipped(text string) {
	if sys.inCell {
		fmt.Fprintf(sys.out, "note: %s\n", text)
		return
	}
	sys.note("%s", text)
}

func newBaselineArchive(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive [FOLDER]",
		Short: "Write the archive of the kept results, for GAPLAB_RESULTS",
		Long: `Write the results of the checkout at paper scale into FOLDER as one archive. Its
name contains the first digits of its checksum. Equal results give equal bytes.
A gaplab of the same version reads these results in any folder, if the variable
GAPLAB_RESULTS is the path or the URL of the archive.

The command also writes the checksum to results/` + results.SumFile + `, which is
embedded in the next build. Without FOLDER it does nothing else.`,
		Example: "  gaplab baseline archive dist",
		Args:    between(0, 1),
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		root := resultsFolder()
		for _, scale := range results.Archived() {
			if info, err := os.Stat(filepath.Join(root, scale)); err != nil || !info.IsDir() {
				return term.Exit(term.ExitMissing, "there is no folder %s; run the command in a checkout",
					filepath.Join(root, scale))
			}
		}
		sum, err := writeSum(root)
		if err != nil || len(args) == 0 {
			return err
		}
		path := filepath.Join(args[0], shipped.Archive(sum))
		if err := makeFolderOf(path); err != nil {
			return err
		}
		if err := replace.Write(path, 0o644, func(w io.Writer) error {
			return shipped.Write(w, os.DirFS(root), results.Archived())
		}); err != nil {
			return err
		}
		fmt.Fprintln(sys.out, path)
		return nil
	}
	return cmd
}

// writeSum writes the checksum of the archive of a results folder to the file from which the next build embeds it. It
// returns the checksum.
func writeSum(root string) (string, error) {
	sum, err := shipped.Sum(os.DirFS(root), results.Archived())
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%s  %s\n", sum, shipped.Archive(sum))
	path := filepath.Join(root, results.SumFile)
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return sum, nil
	}
	return sum, replace.WriteFile(path, []byte(text), 0o644)
}
