package tabular

import (
	"strings"
	"testing"
)

// TestTextFits checks that a table fits all widths from 40 on. First the cells of the last column are cut, down to 20
// columns. Then each cell is printed on its own line.
func TestTextFits(t *testing.T) {
	table := &Listing{Head: []string{"curve", "passes", "why"}, Right: []string{"passes"}}
	table.Add("as=eg, C=10", "12.5", strings.Repeat("stopped ", 20))
	table.Add("文字 é", "3", "")
	for width := 40; width <= 200; width++ {
		var out strings.Builder
		if err := table.Text(&out, Layout{Indent: "  ", Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := Width(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("a line takes %d columns, want at most %d: %s", n, width, line)
			}
		}
	}
	for width, want := range map[int]string{
		0: "curve        passes  why\nas=eg, C=10    12.5  " + strings.TrimSpace(strings.Repeat("stopped ", 20)) +
			"\n文字 é            3\n",
		45: "curve        passes  why\nas=eg, C=10    12.5  stopped stopped stopped…\n文字 é            3\n",
		40: "curve   as=eg, C=10\npasses  12.5\nwhy     stopped stopped stopped stopped…\n\ncurve   文字 é\npasses  3\n",
	} {
		var out strings.Builder
		if err := table.Text(&out, Layout{Width: width}); err != nil || out.String() != want {
			t.Errorf("width %d: got\n%s\nwant\n%s", width, &out, want)
		}
	}
}

// TestStackedHeadings checks that headings of several words are written on several lines, if that suffices, before each
// cell is printed on its own line.
func TestStackedHeadings(t *testing.T) {
	table := &Listing{Head: []string{"C", "best validation error", "why"}, Right: []string{"best validation error"}}
	table.Add("10", "0.25", "stopped")
	for width, want := range map[int]string{
		34: "C   best validation error  why\n10                   0.25  stopped\n",
		33: "          best\n    validation\nC        error  why\n10        0.25  stopped\n",
		22: "C                      10\nbest validation error  0.25\nwhy                    stopped\n",
	} {
		var out strings.Builder
		if err := table.Text(&out, Layout{Width: width}); err != nil || out.String() != want {
			t.Errorf("width %d: got\n%s\nwant\n%s", width, &out, want)
		}
	}
}
