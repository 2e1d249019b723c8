package plots

import (
	"fmt"
	"slices"
)

// Palette are the colours of the hues 0, 1, … as #RRGGBB, until they repeat: for pages that draw a figure's lines anew.
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
