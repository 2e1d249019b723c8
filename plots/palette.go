package plots

import (
	"fmt"
	"slices"
)

// Palette returns the colours of the hues 0, 1, … as #RRGGBB until they repeat, for pages that redraw the lines of a
// figure.
func Palette() (colours []string) {
	for i := 0; ; i++ {
		c := hue(i)
		text := fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)
		if slices.Contains(colours, text) {
			return colours
		}
		colours = append(colours, text)
	}
}
