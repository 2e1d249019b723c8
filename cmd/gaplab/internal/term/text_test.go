package term

import (
	"bytes"
	"errors"
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

// TestVerdictsWhole checks the whole text of verdicts: the columns, which evidence each outcome has, and the colours.
func TestVerdictsWhole(t *testing.T) {
	list := []lang.Claim{{ID: "c1", Says: " it falls "}, {ID: "long", Says: "it rises"}, {ID: "c3", Says: "as fast"}}
	verdicts := []claims.Verdict{
		{Claim: "c1", Verdict: claims.Reproduced, Measured: "1 < 2", Asserted: "a < b"},
		{Claim: "long", Verdict: claims.NotReproduced, Measured: "2 < 1", Asserted: "b < a", Warnings: []string{"w", "x"}},
		{Claim: "c3", Verdict: claims.Tie, Asserted: "a > b", Why: "within 5 %"}}
	want := `  c1    [32mreproduced    [0m  it falls
        [2mmeasured      [0m  1 < 2
  long  [31mnot-reproduced[0m  it rises
        [2mmeasured      [0m  2 < 1
        [2masserted      [0m  b < a
        [2mnote          [0m  w
        [2mnote          [0m  x
  c3    [33mtie           [0m  as fast
        [2masserted      [0m  a > b
        [2mwhy           [0m  within 5 %
`
	var out bytes.Buffer
	Verdicts(&out, Colours{true, 80}, list, verdicts)
	if got := strings.ReplaceAll(out.String(), "\x1b", ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHang checks that no line is longer than the terminal, unless it has one word alone, that lines are as full as
// possible, and that all lines but the first are indented.
func TestHang(t *testing.T) {
	const at = 10
	text := strings.Repeat("one three longer-word x ", 20)
	for width, own := range map[int]Colours{Columns: {}, 40: {width: 40}, 57: {width: 57}, 12: {width: 12}} {
		lines := strings.Split(strings.Repeat(" ", at)+own.Hang(text, at), "\n")
		if strings.Join(strings.Fields(strings.Join(lines, " ")), " ") != strings.TrimSpace(text) {
			t.Errorf("width %d: other words: %q", width, lines)
		}
		for i, line := range lines {
			words := strings.Fields(line)
			if len(line) > width && len(words) > 1 || !strings.HasPrefix(line, strings.Repeat(" ", at)+words[0]) {
				t.Errorf("width %d: line %q of %d columns, want at most %d, after %d spaces", width, line, len(line), width, at)
			}
			if i > 0 && len(lines[i-1])+1+len(words[0]) <= width {
				t.Errorf("width %d: the word %s fits the line before, %q", width, words[0], lines[i-1])
			}
		}
	}
}

// TestOutcomeColours checks the colour of each outcome, in columns with an outcome and in others.
func TestOutcomeColours(t *testing.T) {
	for colour, words := range map[string]string{
		"32": "done reproduced ok finished",
		"31": "failed diverged not-reproduced moved bad",
		"33": "interrupted unsupported budget stalled tie not-testable not-measured missing",
		"":   "new other",
	} {
		for _, word := range strings.Fields(words) {
			want := word
			if colour != "" {
				want = "\x1b[" + colour + "m" + word + "\x1b[0m"
			}
			for heading, coloured := range map[string]bool{"status": true, "state": true, "verdict": true, "why": false} {
				got := Colours{on: true}.Outcome(heading, word)
				if coloured && got != want || !coloured && got != word {
					t.Errorf("%s in the column %s: %q, want %q only in a column of outcomes", word, heading, got, want)
				}
			}
			if got := (Colours{}).Outcome("status", word); got != word {
				t.Errorf("%s without colours: %q", word, got)
			}
		}
	}
}

// failingWriter fails each time with the next error.
type failingWriter struct{ errs []error }

func (f *failingWriter) Write(p []byte) (int, error) {
	err := f.errs[0]
	f.errs = f.errs[1:]
	return len(p), err
}

// TestChecked checks that the first error of a writer is kept.
func TestChecked(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	c := &Checked{Writer: &failingWriter{[]error{nil, first, second, nil}}}
	for i, want := range []error{nil, first, second, nil} {
		if _, err := c.Write([]byte("x")); err != want || i == 0 && c.Err != nil || i > 0 && c.Err != first {
			t.Errorf("write %d: error %v, kept %v; want %v, and the first is kept", i, err, c.Err, want)
		}
	}
	if IsTerminal(c) || Width(c) != 0 {
		t.Error("a writer in a Checked is a terminal")
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
		{1e9, 6, "1.00e+09"}, {0.0001, 1, "0.0"}, {0.004, 2, "0.00"}, {0.0004, 3, "4.00e-04"},
		{0.06, 3, "0.060"}, {0.04, 3, "4.00e-02"}, {-1e7, 2, "-1.00e+07"}, {9999999, 1, "9999999.0"}, {211.17, 1, "211.2"},
		{0.114, 4, "0.1140"},
	} {
		if got := Decimals(&test.v, test.n); got != test.want {
			t.Errorf("Decimals(%g, %d) = %s; want %s", test.v, test.n, got, test.want)
		}
	}
	if v := 123456.; Exponent(&v) != "1.2e+05" {
		t.Errorf("Exponent(%g) = %s; want 1.2e+05", v, Exponent(&v))
	}
	if Decimals(nil, 3) != "" || Exponent(nil) != "" {
		t.Error(`Decimals or Exponent of nil is not ""`)
	}
}
