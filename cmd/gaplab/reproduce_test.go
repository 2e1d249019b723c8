package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/report"
)

// TestTimesOfReproduce checks how predicted times and sizes are printed.
func TestTimesOfReproduce(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0s", 0.4: "0s", 0.6: "1s", 59.6: "1m0s", 599: "9m59s", 600: "10m",
		629: "10m", 631: "11m", 3600: "1h0m", 7530: "2h6m", 86400: "24h0m"} {
		if got := timeText(seconds); got != want {
			t.Errorf("%v s: %s, want %s", seconds, got, want)
		}
	}
	for _, c := range []struct {
		need          edition.Need
		cell, endText string
	}{
		{edition.Need{}, "", ""}, {edition.Need{Seconds: 9}, "", ""}, {edition.Need{Runs: 2, Seconds: 90}, "1m30s",
			", about 1m30s"},
		{edition.Need{Runs: 2, Unknown: 1, Seconds: 90}, "over 1m30s", ", over 1m30s"},
		{edition.Need{Runs: 2, Unknown: 2, Seconds: 90}, "unknown", ", in unknown time"},
	} {
		if spanOf(c.need) != c.cell || about(c.need) != c.endText {
			t.Errorf("%+v: %q and %q, want %q and %q", c.need, spanOf(c.need), about(c.need), c.cell, c.endText)
		}
	}
	if size(0) != "" || size(3_000_000) != "3 MB" {
		t.Errorf("sizes %q and %q", size(0), size(3_000_000))
	}
}

// TestStatusOfEdition checks the whole text about an edition with sittings of several programs and machines, and with
// experiments in each state.
func TestStatusOfEdition(t *testing.T) {
	program := edition.Program{Commit: "0123456789abcdef", Sources: "fedcba9876543210", Go: "go1.25"}
	older := edition.Program{Unclean: true, Sources: "aaaaaaaaaaaaaaaa", Go: "go1.24"}
	machine := edition.Machine{CPU: "A CPU", Platform: "linux/amd64", Processors: 2}
	other := edition.Machine{CPU: "A CPU", Platform: "linux/amd64", Processors: 1}
	r := edition.Record{Format: "gaplab-edition/1", Scale: "quick", Program: program, Machine: machine, Began: "May 1",
		Sittings: []edition.Session{
			{Program: older, Machine: machine, Began: "May 1", Until: "x", End: edition.TimeOver, Seconds: 3600,
				Experiments: []string{"a", "b"}},
			{Program: program, Machine: other, Began: "May 2", End: edition.Interrupted, Seconds: 60},
			{Program: program, Machine: machine, Began: "May 3", Seconds: 5, Experiments: []string{"c"}}},
		Experiments: []edition.Entry{
			{ID: "p/a", State: edition.Done, Runs: 3, Planned: 3, Seconds: 100, Forecast: 7, Remade: 0.254,
				Commits: []string{program.Commit, "", "9876543210fedcba"}},
			{ID: "p/b", State: "failed", Runs: 1, Planned: 4, Seconds: 30, Forecast: 1200, Failed: []string{"C=1: x", "C=2: y"},
				Commits: []string{program.Commit}},
			{ID: "p/c", State: "begun", Planned: 2, Forecast: 5, Fault: "no data\nstack"}}}
	dir := t.TempDir()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, edition.File), text, 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	v := &reproduceVerb{sys: system{out: &out, getenv: func(string) string { return "" }}, dir: dir}
	if err := v.printStatus(); err != nil {
		t.Fatal(err)
	}
	want := dir + `, scale quick, begun May 1
program  commit 0123456789ab, sources fedcba987654, go1.25
machine  A CPU, linux/amd64, 2 processors

sitting  time  experiments  end
May 1    1h0m            2  time over; program commit unknown (changed since), …
May 2    1m0s            0  interrupted; another machine
May 3      5s            1  goes on, or was killed

experiment  state   runs   time  left  busy  commit
p/a         done     3/3  1m40s        25 %  unknown 9876543210fe
p/b         failed   1/4    30s   20m
p/c         begun    0/2     0s    5s

1 of 3 experiments complete
failed: p/b: C=1: x
failed: p/b: C=2: y
not made: p/c: no data
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

// TestPlansOfReproduce checks which experiments are planned, and that only a timed one makes a run at a time.
func TestPlansOfReproduce(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const spec = `apiVersion: gaplab/v1
id: my/%s
dataset: {name: digits, train: 30}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: eg}]
stop: {passes: 1}
scales: {smoke: {}, quick: {stop: {passes: 2}}}
%s`
	const times = "repeat: {times: 2}\nclaims: " +
		"[{id: c1, says: It takes time., assert: 'final(\"eg\", \"cpu_seconds\") > 0'}]\n"
	for name, more := range map[string]string{"plain": "", "timed": times} {
		if err := os.WriteFile(name+".yaml", fmt.Appendf(nil, spec, name, more), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v := &reproduceVerb{sys: system{err: &bytes.Buffer{}, getenv: func(string) string { return "" }}, dir: "ed",
		scale: term.Choice{Value: "quick"}, runner: runner{workers: 3}}
	plans, err := v.plans(t.Context(), []string{"timed.yaml", "plain.yaml"})
	if err != nil || len(plans) != 2 {
		t.Fatalf("%d plans, error %v", len(plans), err)
	}
	for i, want := range []string{"my/timed 1", "my/plain 3"} {
		p := plans[i]
		if got := fmt.Sprint(p.Spec.ID, " ", p.Options.Workers); got != want || p.Spec.Scale != "quick" {
			t.Errorf("plan %s at scale %s, want %s", got, p.Spec.Scale, want)
		}
	}
}

// TestMissingResults checks which error a report gets: none if some experiment has results and no results are
// elsewhere, that of the only experiment without results, or one with their number that names the first.
func TestMissingResults(t *testing.T) {
	has := func() *report.Account { return &report.Account{} }
	part := func() *report.Account {
		return &report.Account{Missing: harness.ErrNoResults, Lacking: harness.ErrPartial}
	}
	none := func(id string) *report.Account {
		return &report.Account{Missing: fmt.Errorf("%s: %w", id, harness.ErrNoResults)}
	}
	away := func(id string) *report.Account {
		return &report.Account{Missing: fmt.Errorf("%s: %w", id, errors.Join(harness.ErrNoResults,
			&shipped.Elsewhere{Archive: "x.zip"}))}
	}
	for _, c := range []struct {
		accounts []*report.Account
		want     string
	}{
		{nil, ""}, {[]*report.Account{has(), has()}, ""}, {[]*report.Account{has(), none("a")}, ""},
		{[]*report.Account{part(), none("a"), none("b")}, ""}, {[]*report.Account{none("a")}, "a: "},
		{[]*report.Account{none("a"), none("b")}, "2 of 2 experiments have no results: a: "},
		{[]*report.Account{none("a"), away("b"), has()}, "2 of 3 experiments have no results: b: "},
		{[]*report.Account{has(), away("a")}, "a: "},
		{[]*report.Account{away("b"), none("a"), away("c")}, "3 of 3 experiments have no results: b: "},
	} {
		before := slices.Clone(c.accounts)
		err := missing(c.accounts)
		if (err == nil) != (c.want == "") || err != nil && (!strings.HasPrefix(err.Error(), c.want) ||
			term.ExitCode(t.Context(), err) != term.ExitMissing) {
			t.Errorf("%d accounts: error %v, want one that begins with %q", len(c.accounts), err, c.want)
		}
		if !slices.Equal(before, c.accounts) {
			t.Errorf("%d accounts: the list of accounts has changed", len(before))
		}
	}
}
