package kernel

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/replace"
	"github.com/gaplab/gaplab/kernel/protocol"
	"github.com/gaplab/gaplab/plots"
)

// picture is a figure that a cell has shown, with a name that distinguishes it from the other figures of the cell.
type picture struct {
	name   string // "" if there is only one
	figure figure.Figure
}

// isFile reports whether a word names a file that export writes: a figure, or the rows as CSV.
func isFile(name string) bool {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	return ending == "csv" || slices.Contains(plots.Formats(), ending)
}

// unknownFile reports whether a word looks like the name of a file in a format that export does not write.
func unknownFile(name string) bool {
	ending := filepath.Ext(name)
	return ending != "" && ending != ".yaml" && ending != ".yml" && !isFile(name)
}

// export writes the figure of the last results, or their rows as CSV, to a file. An exploration writes a file for each
// of its figures.
func (k *Kernel) export(file string, out protocol.Output) error {
	if k.last.set == nil {
		return errNone
	}
	k.noteOlder(out)
	ending := filepath.Ext(file)
	if strings.EqualFold(ending, ".csv") {
		if err := replace.Write(file, 0o644, func(w io.Writer) error {
			return trace.WriteCSV(w, k.last.set)
		}); err != nil {
			return err
		}
		out.Print("wrote " + file + "\n")
		return nil
	}
	pictures := k.last.pictures()
	if len(pictures) == 0 {
		return errors.New("the last results have no figure; add one to the cell, such as figure: {x: passes, y: gap, " +
			"yscale: log}")
	}
	for _, p := range pictures {
		to := file
		if p.name != "" {
			to = fmt.Sprintf("%s-%s%s", strings.TrimSuffix(file, ending), p.name, ending)
		}
		d, err := plots.Draw(p.figure)
		if err == nil {
			err = d.Save(to)
		}
		if err != nil {
			return err
		}
		out.Print("wrote " + to + "\n")
	}
	return nil
}
