package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/crate"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestSecondsOfRepetitions compares the cell of the seconds of repeated runs with the definition: the median and, in
// brackets, the smallest and the largest value. Repetitions without seconds do not count.
func TestSecondsOfRepetitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		var repeats []*float64
		var known []float64
		for i := range 1 + rng.IntN(5) {
			v := float64(rng.IntN(1000)) / 8
			if i > 0 && rng.IntN(4) == 0 {
				repeats = append(repeats, nil)
				continue
			}
			repeats, known = append(repeats, &v), append(known, v)
		}
		want := fmt.Sprintf("%.2f", known[0])
		if len(known) > 1 {
			slices.SortFunc(known, func(a, b float64) int { return int(8 * (a - b)) })
			median := known[len(known)/2]
			if len(known)%2 == 0 {
				median = (median + known[len(known)/2-1]) / 2
			}
			want = fmt.Sprintf("%.2f (%.2f to %.2f)", median, known[0], known[len(known)-1])
		}
		if got := secondsOf(repeats); got != want {
			t.Fatalf("seconds of %v: %s, want %s", known, got, want)
		}
	}
	if got := secondsOf([]*float64{nil}); got != "" {
		t.Errorf("seconds of a run without seconds: %q, want none", got)
	}
}

// TestRepetitionsShareALine checks which runs share a line of the table: those that differ only in their repetition and
// ended in the same way. The line is the one of the first of them. Runs without repetitions share no line.
func TestRepetitionsShareALine(t *testing.T) {
	var files []*trace.File
	var summaries []summary.Summary
	add := func(seconds, c float64, repetition any, status trace.Status) {
		labels := map[string]any{"as": "eg", "C": c}
		if repetition != nil {
			labels[trace.Repetition] = repetition
		}
		files = append(files, &trace.File{Manifest: trace.Manifest{Labels: labels}, End: &trace.End{Status: status}})
		summaries = append(summaries, summary.Summary{Seconds: &seconds})
	}
	add(1, 1, 1.0, trace.Done)
	add(2, 2, 1.0, trace.Done)
	add(3, 1, 2.0, trace.Done)
	add(4, 1, 3.0, trace.Failed)
	add(5, 2, 2.0, trace.Done)
	add(6, 1, 4.0, trace.Failed)
	add(7, 3, nil, trace.Done)
	add(8, 3, nil, trace.Done)
	var got []string
	for _, list := range repetitions(files, summaries) {
		text := "none"
		if list != nil {
			text = ""
		}
		for _, v := range list {
			text += fmt.Sprint(*v)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"13", "25", "none", "46", "none", "none", "7", "8"}, got); diff != "" {
		t.Errorf("seconds of each line differ (-want +got):\n%s", diff)
	}
}

// TestSampledRuns checks each cell of the table of gaplab verify, and the counts below it.
func TestSampledRuns(t *testing.T) {
	rows := []crate.Row{
		{Experiment: "eg/a", Run: "C=1", Key: "k1", Verdict: crate.Equal, Rows: 7, Then: 2, Low: 1.5, High: 2.5, Now: 3,
			Ratio: 1.5, Times: "near", Needed: 2, NeededTook: 4, OtherCode: []string{"models/x", "solvers/y"}},
		{Experiment: "eg/a", Run: "C=2", Key: "k2", Verdict: crate.Missing, Why: "no data", Rows: 8, Then: 1234.5},
		{Experiment: "eg/b", Run: "C=2", Key: "k3", Verdict: crate.Differs, Rows: 1, Now: 0.25, Needed: 1, NeededTook: 0.5},
		{Experiment: "eg/b", Run: "C=3", Key: "k4", Verdict: crate.Equal, OtherCode: []string{"a"}},
	}
	table := sampled(rows)
	want := [][]string{
		{"eg/a C=1", "k1", "7", "equal", "2", "3", "1.5", "1.5 to 2.5: near",
			"needed 2 other runs (4 s); made by other code: models/x, solvers/y"},
		{"eg/a C=2", "k2", "8", "missing", "1.23e+03", "", "", "", ""},
		{"eg/b C=2", "k3", "1", "differs", "", "0.25", "", "", "needed 1 other run (0.5 s)"},
		{"eg/b C=3", "k4", "0", "equal", "", "", "", "", "made by other code: a"},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Errorf("cells differ (-want +got):\n%s", diff)
	}
	head := []string{"run", "key", "rows", "compared", "CPU s then", "now", "ratio", "range", "remarks"}
	if diff := cmp.Diff(head, table.Head); diff != "" {
		t.Errorf("head differs (-want +got):\n%s", diff)
	}
	report := &crate.Report{Files: 5, Packs: 2, Runs: make([]crate.Run, 3), Damage: []string{"a", "b"},
		Wrong: []string{"c"}}
	const counts = "5 files, 2 at fault; 2 experiments, 3 runs, 1 at fault"
	for format, list := range map[string][]crate.Row{"text": rows, "json": nil} {
		var out, other bytes.Buffer
		v := &verifyVerb{sys: system{out: &out, err: &other}, format: &term.Choice{Value: format}}
		v.summary(report, list)
		want, beside := counts+"; made again: 2 equal, 1 differ, 1 missing\n", ""
		if format == "json" {
			want, beside = "", counts+"\n"
		}
		if out.String() != want || other.String() != beside {
			t.Errorf("%s: output %q, beside it %q; want %q, %q", format, &out, &other, want, beside)
		}
	}
}

// TestIDOfAFile checks the id of the spec that gaplab train writes for a file.
func TestIDOfAFile(t *testing.T) {
	for file, want := range map[string]string{"chunks.txt": "chunks", "a/b/es.conllu.gz": "es", ".hidden.csv": "hidden",
		"my data (2).csv": "my-data-2", "--x--.t": "x", "ä.txt": "data", "...": "data", "Iris_3": "Iris-3",
		strings.Repeat("a", 120) + ".csv":        strings.Repeat("a", 100),
		strings.Repeat("b", 99) + "_c":           strings.Repeat("b", 99),
		"x" + strings.Repeat("y z", 30) + ".tsv": "x" + strings.Repeat("y-z", 30)} {
		if got := idOf(file); got != want {
			t.Errorf("%s: id %s, want %s", file, got, want)
		}
	}
}

// TestFirstLinesOfAFile checks the lines from which gaplab train recognises the form of a file: at most 2,000 lines and
// 1 MB, without line ends and the mark of the byte order, and without a line that the limit cuts. A line that is not
// text is an error with its number.
func TestFirstLinesOfAFile(t *testing.T) {
	long := strings.Repeat("x", 1<<19-1) + "\n" // half of the limit
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil}, {"\n", []string{""}}, {"a", []string{"a"}}, {"a\n", []string{"a"}}, {"a\n\nb", []string{"a", "", "b"}},
		{"\ufeffa\r\nb \r\n", []string{"a", "b "}}, {long + "a\nb\n", []string{long[:1<<19-1], "a", "b"}},
		{long + long, []string{long[:1<<19-1], long[:1<<19-1]}}, {long + "a\n" + long, []string{long[:1<<19-1], "a"}},
		{strings.Repeat("w\n", 2001), slices.Repeat([]string{"w"}, 2000)},
	} {
		got, err := firstLines("f", strings.NewReader(c.text))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.20q: %d lines, %v; want %d", c.text, len(got), err, len(c.want))
		}
	}
	for text, want := range map[string]string{"a\nb\xffc\n": "f:2:1: ", "a\x00\n": "f:1:1: ", "a\nb\n\xe4": "f:3:1: "} {
		if _, err := firstLines("f", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want one that begins with %s", text, err, want)
		}
	}
}

// TestUntar checks that the files of an archive are written with their content, in their folders, and that a name that
// leads out of the folder is an error.
func TestUntar(t *testing.T) {
	pack := func(files map[string]string) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(&tar.Header{Name: "results/", Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o644}
			if err := w.WriteHeader(h); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	dir := t.TempDir()
	files := map[string]string{"results/smoke/a.jsonl": "one\n", "results/b": "", "top": strings.Repeat("x", 5000)}
	if err := untar(dir, pack(files)); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
	}
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := untar(inner, pack(map[string]string{"../out": "x"})); err == nil {
		t.Error("no error for a file outside of the folder")
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a file was written outside of the folder")
	}
}

// TestMissingResultsAreListed checks that the error about missing results lists at most ten, with their tasks and
// failures, and counts the others.
func TestMissingResultsAreListed(t *testing.T) {
	for _, n := range []int{1, 10, 11, 13} {
		var list []cluster.Missing
		want := fmt.Sprintf("g: %d results missing", n)
		if n == 1 {
			want = "g: 1 result missing"
		}
		for i := range n {
			m := cluster.Missing{Task: i + 3, ID: "eg/a", Name: fmt.Sprint("C=", i)}
			why := ""
			if i%2 == 0 {
				m.Why, why = "no memory\nstack", ": no memory"
			}
			if list = append(list, m); i < 10 {
				want += fmt.Sprintf("\neg/a: C=%d (task %d%s)", i, i+3, why)
			}
		}
		if n > 10 {
			want += fmt.Sprintf("\nand %d more", n-10)
		}
		if got := missingResults(&cluster.Campaign{ID: "g"}, list); got.Error() != want {
			t.Errorf("%d missing results: %s\nwant %s", n, got, want)
		}
	}
}
