package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
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
	x := 1.0 / 3
	objects := []object{
		{"a,b", map[string]any{"name": "eg", "eta": 0.5}, inner{&x}, []string{"smoke", "paper"}, true},
		{"<c>", map[string]any{"name": "sgd", "eta0": 1e-7}, inner{}, nil, false},
	}
	tests := []struct{ format, want string }{
		{"json", `{"id":"a,b","solver":{"eta":0.5,"name":"eg"},"metrics":{"error":0.3333333333333333},"scales":["smoke","paper"],"ok":true}
{"id":"<c>","solver":{"eta0":1e-7,"name":"sgd"},"metrics":{"error":null},"scales":null,"ok":false}
`},
		{"csv", `id,solver.eta0,solver.eta,solver.name,metrics.error,scales,ok
"a,b",,0.5,eg,0.3333333333333333,smoke paper,true
<c>,1e-7,,sgd,,,false
`},
	}
	for _, test := range tests {
		var out bytes.Buffer
		if err := printObjects(&out, test.format, objects); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.format, out.String(), test.want)
		}
	}
}

func TestListing(t *testing.T) {
	l := &listing{head: []string{"λ", "empty", "state", "passes", "why"}, right: []string{"passes"}}
	l.add("0.001", "", "done", "12.0", "gap 1e-06")
	l.add("1", "", "failed", "3.5", strings.Repeat("long ", 40))
	var out bytes.Buffer
	l.text(&out, "  ", colours{true}.status)
	want := "  λ      state   passes  why\n" +
		"  0.001  \x1b[32mdone\x1b[0m      12.0  gap 1e-06\n" +
		"  1      \x1b[31mfailed\x1b[0m     3.5  "
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
	for line := range strings.Lines(strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(out.String())) {
		if n := utf8.RuneCountInString(line) - 1; n > columns {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	out.Reset()
	(&listing{head: []string{"a"}, rows: [][]string{{"x|y\nz"}}}).markdown(&out)
	if want := "| a |\n| --- |\n| x\\|y z |\n"; out.String() != want {
		t.Errorf("Markdown: got %q; want %q", out.String(), want)
	}
	out.Reset()
	(&listing{}).text(&out, "", nil)
	if out.Len() > 0 {
		t.Errorf("a listing without columns prints %q", out.String())
	}
}

func TestVerdictsFit(t *testing.T) {
	var out bytes.Buffer
	printVerdicts(&out, colours{}, []lang.Claim{{ID: "c1", Says: strings.Repeat("so it is ", 30)}},
		[]claims.Verdict{{Claim: "c1", Verdict: claims.NotReproduced, Measured: "0.5",
			Asserted: strings.Repeat("a >= b and ", 30), Warnings: []string{"a doubt"}}})
	text := out.String()
	for _, want := range []string{"  c1  not-reproduced  so it is", "\n      measured        0.5\n",
		"\n      asserted        a >= b", "\n      note            a doubt\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(line) - 1; n > columns {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestColoursAsk(t *testing.T) {
	sys := system{getenv: func(string) string { return "" }}
	if c := sys.coloursOf(&bytes.Buffer{}); c.on || c.red("x") != "x" {
		t.Error("a buffer shows colours")
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		v    float64
		n    int
		want string
	}{
		{0.161778, 6, "0.161778"}, {23.4, 6, "23.400000"}, {1e-6, 6, "1.00e-06"}, {0, 6, "0.000000"}, {-1.7, 6, "-1.700000"},
		{1e9, 6, "1.00e+09"}, {0.0001, 1, "0.0"}, {211.17, 1, "211.2"}, {0.114, 4, "0.1140"},
	} {
		if got := decimals(&test.v, test.n); got != test.want {
			t.Errorf("decimals(%g, %d) = %s; want %s", test.v, test.n, got, test.want)
		}
	}
	if decimals(nil, 3) != "" || exponent(nil) != "" || known(0) != "" {
		t.Error("a number that is not known is printed")
	}
	for n, want := range map[int64]string{5: "5 B", 8900: "9 kB", 54_950_048: "55 MB", 1_500_000_000: "1.5 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytesText(%d) = %s; want %s", n, got, want)
		}
	}
}
