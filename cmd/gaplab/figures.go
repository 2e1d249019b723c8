package main

import (
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots"
)

// saveFigure draws a figure into files, in the formats of their extensions.
func saveFigure(fig figure.Figure, paths ...string) error {
	drawing, err := plots.Draw(fig)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := makeFolderOf(path); err != nil {
			return err
		}
		if err := drawing.Save(path); err != nil {
			return err
		}
	}
	return nil
}
