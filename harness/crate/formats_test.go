package crate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// update adds the files that a new version of a format needs. It never changes an existing file, because the tests are
// about files of earlier programs.
var update = flag.Bool("update", false, "write the missing files of testdata/formats")

// folderOf returns the folder with the files of a version of a format.
func folderOf(version string) string {
	return filepath.Join("testdata", "formats", strings.ReplaceAll(strings.TrimSpace(version), "/", "-"))
}

// formatSpec returns the spec with which the files were made.
func formatSpec(t *testing.T) *lang.Spec {
	t.Helper()
	e, err := harness.Find(filepath.Join(folderOf("gaplab/v1"), "spec.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onlyFile returns the path of the only file that matches a pattern.
func onlyFile(t *testing.T, pattern ...string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: files %v, error %v; want one", filepath.Join(pattern...), found, err)
	}
	return found[0]
}

// TestFormats reads a spec, a trace, weights, a pack, an edition and a crate that the program wrote when the version of
// the format was the newest. A later program must read all of them. A change of a format needs a new version and, with
// -update, new files beside the old ones.
func TestFormats(t *testing.T) {
	if *update {
		makeFormats(t)
	}
	s := formatSpec(t)
	if runs, err := s.Plan(); err != nil || len(runs) != 2 || s.Figure == nil || s.Table == nil || len(s.Claims) != 1 {
		t.Errorf("the spec has %d runs, error %v; want 2, with figure, table and a claim", len(runs), err)
	}
	f, err := trace.Read(onlyFile(t, folderOf(trace.Format), "*.jsonl"))
	if err != nil || f.Status() != trace.Done || len(f.Rows) < 3 || f.Manifest.Data.Checksum == "" {
		t.Errorf("trace: %v; want a run that is done, with rows and the checksum of its data", err)
	}
	w, err := store.ReadWeights(onlyFile(t, folderOf(store.WeightsFormat), "*.weights.json.gz"))
	if err != nil || len(w.W) != w.Dim || w.Dim == 0 || !w.Complete() {
		t.Errorf("weights: %v; want weights with the settings that predictions need", err)
	}
	files, err := store.Keep(folderOf("gaplab-pack/1")).Read("test/formats", lang.ScaleOwn)
	if err != nil || len(files) != 2 || files[0].Manifest.Exact == "" {
		t.Errorf("pack: %d runs, %v; want two references", len(files), err)
	}
	if set := trace.NewSet(files); set.Err != nil || len(set.Curves) != 2 {
		t.Errorf("pack: %d curves, %v; want two", len(set.Curves), set.Err)
	}
	r, err := edition.Read(folderOf("gaplab-edition/1"))
	if err != nil || len(r.Experiments) == 0 || len(r.Sittings) == 0 || r.Program.Commit == "" {
		t.Errorf("edition: %v; want a record with experiments, sittings and a program", err)
	}
	o := opened(t, onlyFile(t, folderOf("ro-crate/1.1"), "*.crate.zip"))
	if c := o.Check(""); len(c.Damage)+len(c.Wrong) > 0 || len(c.Runs) == 0 {
		t.Errorf("crate: damage %v, wrong %v, %d runs; want runs without faults", c.Damage, c.Wrong, len(c.Runs))
	}
}

// TestOtherFormats checks that files of other versions are refused with a message that names both versions.
func TestOtherFormats(t *testing.T) {
	changed := func(path, from, to string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return written(t, filepath.Base(path), bytes.Replace(text, []byte(from), []byte(to), 1))
	}
	spec := changed(filepath.Join(folderOf("gaplab/v1"), "spec.yaml"), "gaplab/v1", "gaplab/v9")
	if _, err := harness.Find(spec); err == nil || !strings.Contains(err.Error(), "gaplab/v9") ||
		!strings.Contains(err.Error(), "accepted: gaplab/v1") {
		t.Errorf("a spec of version 9: error %v", err)
	}
	path := changed(onlyFile(t, folderOf(trace.Format), "*.jsonl"), "gaplab-trace/2", "gaplab-trace/9")
	if _, err := trace.Read(path); !errors.Is(err, trace.ErrFormat) ||
		!strings.Contains(err.Error(), "gaplab-trace/9") || !strings.Contains(err.Error(), trace.Format) {
		t.Errorf("a trace of version 9: error %v", err)
	}
	pack := filepath.Join(t.TempDir(), "own", "test", "formats.jsonl")
	if err := os.MkdirAll(filepath.Dir(pack), 0o777); err != nil {
		t.Fatal(err)
	}
	old := changed(filepath.Join(folderOf("gaplab-pack/1"), "own", "test", "formats.jsonl"), "pack/1", "pack/9")
	if err := os.Rename(old, pack); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Keep(filepath.Join(pack, "..", "..", "..")).Read("test/formats", lang.ScaleOwn); !errors.Is(err,
		trace.ErrFormat) || !strings.Contains(err.Error(), `this program reads "gaplab-pack/1"`) {
		t.Errorf("a pack of version 9: error %v", err)
	}
	record := changed(filepath.Join(folderOf("gaplab-edition/1"), edition.File), "edition/1", "edition/9")
	if _, err := edition.Read(filepath.Dir(record)); err == nil ||
		!strings.Contains(err.Error(), `"gaplab-edition/9"; this program reads gaplab-edition/1`) {
		t.Errorf("an edition of version 9: error %v", err)
	}
}

// TestStates resumes a run from checkpoints of earlier programs. If the code or the machine has changed, or if the
// checkpoint has another version, the run begins again, and a note gives the reason.
func TestStates(t *testing.T) {
	file := onlyFile(t, folderOf("gaplab-state/2"), "*.state")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	end := len(text) - sha256.Size
	older := bytes.Replace(text[:end], []byte("gaplab-state/2"), []byte("gaplab-state/1"), 1)
	sum := sha256.Sum256(older)
	for _, test := range []struct {
		name string
		text []byte
		want []string
	}{
		{"of today", text, []string{"resumed from", "begins again, because"}},
		{"of another version", append(older, sum[:]...), []string{"cannot be read, so the run begins again"}},
	} {
		out := t.TempDir()
		folder := store.Open(out).Folder("test/formats", lang.ScaleOwn)
		if err := errors.Join(os.MkdirAll(folder.Dir(), 0o777),
			os.WriteFile(filepath.Join(folder.Dir(), filepath.Base(file)), test.text, 0o666)); err != nil {
			t.Fatal(err)
		}
		var notes []string
		result, err := harness.Run(t.Context(), formatSpec(t), harness.Options{Out: out, Source: &datasets.Source{},
			OnEvent: func(e schedule.Event) {
				if e.Kind == schedule.Noted {
					notes = append(notes, e.Why)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if result.Files[0].Manifest.Key+".state" != filepath.Base(file) {
			continue // a revision has changed, so the key of the checkpoint is that of another run
		}
		all, found := strings.Join(notes, "\n"), false
		for _, want := range test.want {
			found = found || strings.Contains(all, want)
		}
		if !found {
			t.Errorf("a checkpoint %s: notes %q; want one of %q", test.name, all, test.want)
		}
	}
}

// makeFormats writes the missing files of today's versions.
func makeFormats(t *testing.T) {
	t.Helper()
	out, options := t.TempDir(), harness.Options{Source: &datasets.Source{}, SaveWeights: true}
	options.Out = out
	result, err := harness.Run(t.Context(), formatSpec(t), options)
	if err != nil {
		t.Fatal(err)
	}
	first := result.Files[0]
	dir := filepath.Join(out, "test", "formats", lang.ScaleOwn)
	addFile(t, trace.Format, filepath.Join(dir, first.Manifest.Key+".jsonl"))
	addFile(t, store.WeightsFormat, filepath.Join(dir, first.End.Weights))
	var references []*trace.File
	for _, f := range result.Files {
		references = append(references, f.Reference(200))
	}
	if _, err := os.Stat(folderOf("gaplab-pack/1")); err != nil {
		_, err := store.Keep(folderOf("gaplab-pack/1")).WriteAll(lang.ScaleOwn,
			map[string][]*trace.File{"test/formats": references}, true)
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	options = harness.Options{Source: options.Source, Out: t.TempDir(), SaveEvery: 1}
	options.OnEvent = func(e schedule.Event) {
		if e.Kind == schedule.Recorded && e.Passes > 10 {
			cancel()
		}
	}
	if _, err := harness.Run(ctx, formatSpec(t), options); err != nil {
		t.Fatal(err)
	}
	addFile(t, "gaplab-state/2", onlyFile(t, options.Out, "test", "formats", lang.ScaleOwn, "*.state"))
	addFile(t, "gaplab-edition/1", filepath.Join("..", "..", "results", "paper", edition.File))
	c, err := Make(Contents{Results: os.DirFS(filepath.Join("..", "..", "results")), Scale: lang.ScaleSmoke,
		IDs: []string{"eg/lem1"}, Licence: "https://spdx.org/licenses/BSD-3-Clause"})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := c.Zip(&text); err != nil {
		t.Fatal(err)
	}
	addFile(t, "ro-crate/1.1", written(t, "lem1.crate.zip", text.Bytes()))
}

// addFile copies a file to the folder of a version, if the folder has no files.
func addFile(t *testing.T, version, file string) {
	t.Helper()
	dir := folderOf(version)
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return
	}
	text, err := os.ReadFile(file)
	if err := errors.Join(err, os.MkdirAll(dir, 0o777),
		os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666)); err != nil {
		t.Fatal(err)
	}
}
