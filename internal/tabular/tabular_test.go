package tabular

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestObjects(t *testing.T) {
	type inner struct {
		Error *float64 `json:"error"`
	}
	type object struct {
		ID      string         `json:"id"`
		Solver  map[string]any `json:"solver"`
		Metrics inner          `json:"metrics"`
		Scales  []string       `json:"scales"`
		OK      bool           `json:"ok"`
	}
	x := 0.25
	objects := []object{
		{"a,b", map[string]any{"name": "eg", "eta": 0.5}, inner{&x}, []string{"a", "b"}, true},
		{"<c>", map[string]any{"name": "sgd", "eta0": 1e-7}, inner{}, nil, false},
	}
	tests := []struct{ format, want string }{
		{"json", `{"id":"a,b","solver":{"eta":0.5,"name":"eg"},"metrics":{"error":0.25},"scales":["a","b"],"ok":true}
{"id":"<c>","solver":{"eta0":1e-7,"name":"sgd"},"metrics":{"error":null},"scales":null,"ok":false}
`},
		{"csv", `id,solver.eta0,solver.eta,solver.name,metrics.error,scales,ok
"a,b",,0.5,eg,0.25,a b,true
<c>,1e-7,,sgd,,,false
`},
	}
	for _, test := range tests {
		var out bytes.Buffer
		write := func() error { return JSON(&out, objects...) }
		if test.format == "csv" {
			write = func() error {
				table, err := Flatten(objects)
				if err != nil {
					return err
				}
				return table.CSV(&out)
			}
		}
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.format, out.String(), test.want)
		}
	}
}

func TestText(t *testing.T) {
	table := &Listing{Head: []string{"name", "empty", "n", "why"}, Right: []string{"n"}}
	table.Add("ä", "", "12", "a long reason that is cut")
	table.Add("long", "", "3.5", "")
	for _, test := range []struct {
		layout Layout
		want   string
	}{
		{Layout{}, "name  empty    n  why\nä             12  a long reason that is cut\nlong         3.5\n"},
		{Layout{Sparse: true, Indent: "> ", Width: 33},
			"> name    n  why\n> ä      12  a long reason that …\n> long  3.5\n"},
		{Layout{Sparse: true, Paint: func(heading, cell string) string { return heading[:1] + cell }},
			"name    n  why\nnä      n12  wa long reason that is cut\nnlong  n3.5  w\n"},
	} {
		var out bytes.Buffer
		if err := table.Text(&out, test.layout); err != nil || out.String() != test.want {
			t.Errorf("error %v, got\n%s\nwant\n%s", err, out.String(), test.want)
		}
	}
	var out bytes.Buffer
	if err := (&Listing{}).Text(&out, Layout{}); err != nil || out.Len() > 0 {
		t.Errorf("Text of a table without columns printed %q, error %v, want nothing", out.String(), err)
	}
}

// TestSparse checks that a sparse listing is the listing without the columns that are empty in every row. If there are
// no rows, no column is left out.
func TestSparse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := []string{"a", "bb", "a long heading"}
		whole, left := &Listing{Head: head, Right: []string{"bb"}}, &Listing{Right: []string{"bb"}}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			whole.Add(rapid.SliceOfN(rapid.SampledFrom([]string{"", "", "x", "two words"}), 3, 3).Draw(t, "cells")...)
		}
		for _, row := range whole.Rows {
			left.Add(make([]string, 0, len(row))...)
		}
		for i, h := range head {
			used := len(whole.Rows) == 0
			for _, row := range whole.Rows {
				used = used || row[i] != ""
			}
			if !used {
				continue
			}
			left.Head = append(left.Head, h)
			for k, row := range whole.Rows {
				left.Rows[k] = append(left.Rows[k], row[i])
			}
		}
		for _, width := range []int{0, 12, 60} {
			var got, want bytes.Buffer
			if err := errors.Join(whole.Text(&got, Layout{Sparse: true, Width: width}),
				left.Text(&want, Layout{Width: width})); err != nil || got.String() != want.String() {
				t.Errorf("width %d, error %v, got\n%s\nwant\n%s", width, err, &got, &want)
			}
		}
	})
}

// TestNoRows checks that a listing without rows is written as its headings in each format.
func TestNoRows(t *testing.T) {
	table := &Listing{Head: []string{"a", "b"}}
	for want, write := range map[string]func(io.Writer) error{
		"a  b\n":                     func(w io.Writer) error { return table.Text(w, Layout{Sparse: true}) },
		"a,b\n":                      table.CSV,
		"| a | b |\n| --- | --- |\n": table.Markdown,
		"\\begin{tabular}{ll}\n\\toprule\na & b \\\\\n\\midrule\n\\bottomrule\n\\end{tabular}\n": table.LaTeX,
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil || out.String() != want {
			t.Errorf("error %v, got %q, want %q", err, out.String(), want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	var out bytes.Buffer
	err := (&Listing{Head: []string{"a", "b"}, Right: []string{"b"}, Rows: [][]string{{"x|y\nz", ""}}}).Markdown(&out)
	if want := "| a | b |\n| --- | ---: |\n| x\\|y z |  |\n"; err != nil || out.String() != want {
		t.Errorf("got %q, %v; want %q", out.String(), err, want)
	}
}

// full is a writer that always fails, like a file on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErrorsOfTheWriter(t *testing.T) {
	table := &Listing{Head: []string{"a"}, Rows: [][]string{{strings.Repeat("x", 1<<13)}}}
	for name, err := range map[string]error{
		"text": table.Text(full{}, Layout{}), "Markdown": table.Markdown(full{}), "CSV": table.CSV(full{}),
		"JSON": JSON(full{}, 1),
	} {
		if err == nil {
			t.Errorf("%s: no error, want the writer's error", name)
		}
	}
}
