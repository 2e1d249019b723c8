package term

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/tabular"
)

func TestLines(t *testing.T) {
	l := &tabular.Listing{Head: []string{"λ", "empty", "state", "passes", "why"}, Right: []string{"passes"}}
	l.Add("0.001", "", "done", "12.0", "gap 1e-06")
	l.Add("1", "", "failed", "3.5", strings.Repeat("long ", 40))
	var out bytes.Buffer
	if err := Lines(&out, Colours{true, Columns}, "  ", l); err != nil {
		t.Fatal(err)
	}
	want := "  λ      state   passes  why\n" +
		"  0.001  \x1b[32mdone\x1b[0m      12.0  gap 1e-06\n" +
		"  1      \x1b[31mfailed\x1b[0m     3.5  "
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
	for line := range strings.Lines(strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(out.String())) {
		if n := utf8.RuneCountInString(line) - 1; n > Columns {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestResults(t *testing.T) {
	type object struct {
		ID     string   `json:"id"`
		Scales []string `json:"scales"`
	}
	objects := []object{{"a", []string{"smoke", "paper"}}}
	table := &tabular.Listing{Head: []string{"id", "why"}, Rows: [][]string{{"a", ""}}}
	for format, want := range map[string]string{
		"json": `{"id":"a","scales":["smoke","paper"]}` + "\n",
		"csv":  "id,scales\na,smoke paper\n",
		"md":   "| id | why |\n| --- | --- |\n| a |  |\n",
		"text": "id\na\n",
	} {
		var out bytes.Buffer
		if err := Results(&out, Colours{}, format, objects, table); err != nil || out.String() != want {
			t.Errorf("%s: got %q, %v; want %q", format, out.String(), err, want)
		}
	}
}

func TestVerdictsFit(t *testing.T) {
	var out bytes.Buffer
	Verdicts(&out, Colours{}, []lang.Claim{{ID: "c1", Says: strings.Repeat("so it is ", 30)}},
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
		if n := utf8.RuneCountInString(line) - 1; n > Columns {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestColoursAsk(t *testing.T) {
	c := ColoursOf(&bytes.Buffer{}, func(string) string { return "" })
	if c.on || c.red("x") != "x" {
		t.Error("text for a buffer has colours")
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
		if got := Decimals(&test.v, test.n); got != test.want {
			t.Errorf("Decimals(%g, %d) = %s; want %s", test.v, test.n, got, test.want)
		}
	}
	if Decimals(nil, 3) != "" || Exponent(nil) != "" {
		t.Error(`Decimals or Exponent of nil is not ""`)
	}
}
