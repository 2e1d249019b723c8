package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/crate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/replace"
	"github.com/gaplab/gaplab/results"
)

// licence is the URL of the licence of the results, which is that of gaplab.
const licence = "https://spdx.org/licenses/BSD-3-Clause"

func newArchive(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive [ID...] -o FILE.zip|FOLDER",
		Short: "Write results as an RO-Crate, to deposit them with a paper",
		Long: `Write the kept results of experiments (all of the scale, unless some are named)
as an RO-Crate 1.1 that conforms to the Process Run Crate profile 0.5: a zip
file if the name of -o ends with .zip, or else a folder. For each experiment it
contains the rows, the figure and the spec. The metadata state how each was
made: when, by which commit of gaplab, from which data, with licences, addresses
and checksums. Equal results give equal bytes.

If experiments share runs, those whose packs contain the runs are added, and a
note names them. gaplab verify checks a crate. A crate of all results at paper
scale can be the value of GAPLAB_RESULTS, for a gaplab of the same version; a
crate of some experiments cannot, because that program checks one checksum for
all results. gaplab baseline archive writes the archive without metadata.`,
		Example: "  gaplab archive --scale paper -o results.crate.zip\n" +
			"  gaplab archive eg/fig06 bethe --scale paper -o results.crate",
		ValidArgsFunction: completeExperiments,
	}
	scale := addResultsScale(cmd)
	scale.Value = lang.ScalePaper
	cmd.Flags().Lookup("scale").DefValue = lang.ScalePaper
	out := cmd.Flags().StringP("output", "o", "", "`path` of the zip file or the folder")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if *out == "" {
			return term.Usage("archive: name the zip file or the folder: -o FILE.zip")
		}
		c, err := makeCrate(args, scale.Value)
		if err != nil {
			return err
		}
		if len(c.Added) > 0 {
			sys.note("added, because their packs contain runs of the others: %s", strings.Join(c.Added, ", "))
		}
		if err := writeCrate(c, *out); errors.Is(err, crate.ErrNotEmpty) {
			return term.Usage("-o %w", err)
		} else if err != nil {
			return err
		}
		fmt.Fprintf(sys.out, "%s: %s, %s\n", *out, amount.Count(len(c.Experiments), "experiment"),
			amount.Count(len(c.Files), "file"))
		return nil
	}
	return cmd
}

// makeCrate returns the crate of the named experiments. The results are those in the checkout or, at scale smoke
// without a checkout, those in the program.
func makeCrate(args []string, scale string) (*crate.Crate, error) {
	root := resultsFolder()
	from := crate.Contents{Results: os.DirFS(root), Place: root + string(filepath.Separator), Scale: scale,
		Licence: licence}
	if info, err := os.Stat(filepath.Join(root, scale)); err != nil || !info.IsDir() {
		if scale != lang.ScaleSmoke {
			return nil, term.Exit(term.ExitMissing, "there is no folder %s; run the command in a checkout",
				filepath.Join(root, scale))
		}
		from.Results, from.Place = results.References, "gaplab:"
	}
	if len(args) > 0 {
		ids, err := harness.Resolve(args...)
		if err != nil {
			return nil, term.Usage("%w", err)
		}
		for _, id := range ids {
			if !slices.Contains(experiments.IDs(), id) {
				return nil, term.Usage("%s is a spec of your own; accepted: ids of experiments that come with gaplab", id)
			}
		}
		from.IDs = ids
	}
	c, err := crate.Make(from)
	if errors.Is(err, fs.ErrNotExist) {
		err = term.Exit(term.ExitMissing, "%w", err)
	}
	return c, err
}

// writeCrate writes a crate as a zip file or into a folder, by the ending of the path.
func writeCrate(c *crate.Crate, path string) error {
	if filepath.Ext(path) != ".zip" {
		return c.Folder(path)
	}
	if err := makeFolderOf(path); err != nil {
		return err
	}
	return replace.Write(path, 0o644, c.Zip)
}
