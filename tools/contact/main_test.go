package main

import (
	"image/color"
	"testing"
)

// TestSeen checks that white, black and blue stay apart, that grey loses the hue, and that red and green of one
// luminance look alike with deuteranopia.
func TestSeen(t *testing.T) {
	for _, v := range []uint8{0, 100, 255} {
		c := color.RGBA{v, v, v, 255}
		if got := grey(c); got != c {
			t.Errorf("grey %v is seen as %v in grey", c, got)
		}
		if got := deuteranopia(c); max(got.R, v)-min(got.R, v) > 5 || max(got.B, v)-min(got.B, v) > 5 {
			t.Errorf("grey %v is seen as %v with deuteranopia", c, got)
		}
	}
	red, green := deuteranopia(color.RGBA{200, 0, 0, 255}), deuteranopia(color.RGBA{0, 135, 0, 255})
	if d := int(red.R) - int(green.R); d > 12 || d < -12 {
		t.Errorf("red and green are seen as %v and %v, want nearly the same", red, green)
	}
	if blue := deuteranopia(color.RGBA{0, 0, 255, 255}); blue.B != 255 || blue.R > 50 {
		t.Errorf("blue is seen as %v", blue)
	}
}
