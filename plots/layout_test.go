package plots

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestPlacedLegends checks the places of legends in figures with several panels, whose axes have labels of different
// widths, so that the frames are smaller than in a figure of one panel. In the final frames, a legend inside covers no
// curve, and labels at the ends of curves have enough space. In a row of panels, the legends are either all above the
// frames or none. The first seeds give legends that fit into their frames only before the axes are aligned.
func TestPlacedLegends(t *testing.T) {
	seeds := []uint64{179, 252, 312, 338, 485, 496, 507, 663}
	for seed := range uint64(30) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		f := randomPanels(rand.New(rand.NewPCG(seed, 36)))
		columns := columnsOf(f)
		var panels []*panel
		for _, p := range f.Panels {
			panels = append(panels, newPanel(p, tileOf(columns)))
		}
		l := newLayout(f, panels, tileOf(columns))
		canvases := l.canvases()
		for i, p := range panels {
			g, c := p.legend, p.DataCanvas(canvases[i/columns][i%columns])
			_, _, covered := g.emptiest(c, p.Plot)
			switch {
			case len(g.entries) == 0:
			case g.seat == inside && covered > 0:
				t.Errorf("seed %d, panel %d: the legend inside covers %d points of curves, want 0", seed, i+1, covered)
			case g.seat == atEnds && !g.endsAreFree(c, p.Plot):
				t.Errorf("seed %d, panel %d: the labels at the ends of the curves have too little space", seed, i+1)
			}
			for k := i - i%columns; k < i; k++ {
				other := panels[k].legend
				if len(other.entries) > 0 && len(g.entries) > 0 && (g.seat == outside) != (other.seat == outside) {
					t.Errorf("seed %d: the legends of panels %d and %d have the seats %d and %d, want both above their frames or "+
						"none", seed, k+1, i+1, other.seat, g.seat)
				}
			}
		}
	}
}

// randomPanels returns a figure of one to four panels in up to three columns. The values of each panel have a scale of
// their own.
func randomPanels(rng *rand.Rand) figure.Figure {
	f := figure.Figure{Columns: 1 + rng.IntN(3)}
	for i := range 1 + rng.IntN(4) {
		scale := []float64{1, 1e-5, 123456}[rng.IntN(3)]
		p := figure.Panel{Y: figure.Axis{Label: "y"}}
		for k := range 1 + rng.IntN(5) {
			l := figure.Line{Label: fmt.Sprintf("line %d of panel %d", k, i), Hue: k}
			if rng.IntN(2) == 0 {
				l.Label = fmt.Sprintf("%d.%d", i, k)
			}
			n := 2 + rng.IntN(5)
			for x := range n {
				l.X, l.Y = append(l.X, float64(x)/float64(n-1)), append(l.Y, scale*rng.Float64())
			}
			p.Lines = append(p.Lines, l)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}
