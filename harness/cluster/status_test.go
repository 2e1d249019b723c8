package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/internal/toy"
)

// TestLateResults checks that Missing waits for the results of a task that is done, if the files become visible late,
// as on NFS.
func TestLateResults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test waits")
	}
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+toy.Three)
	g := plan(t, dir, 3, s)
	if err := g.Do(t.Context(), 0, only(s), toy.Options(dir)); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(dir, "test/tiny/own")
	if err := os.Rename(results, results+".late"); err != nil {
		t.Fatal(err)
	}
	missing, err := g.Missing(t.Context(), 0)
	if err != nil || len(missing) != 3 {
		t.Fatalf("missing without waiting = %v, %v, want 3 runs", missing, err)
	}
	go func() {
		time.Sleep(300 * time.Millisecond)
		_ = os.Rename(results+".late", results)
	}()
	if missing, err := g.Missing(t.Context(), 30*time.Second); err != nil || len(missing) > 0 {
		t.Errorf("missing with waiting = %v, %v, want none", missing, err)
	}
}

// TestLateResultOfOneTask does the same if one of three tasks is done and the others have not begun. Missing must wait
// for the result of that task, whichever task it is, and list the other two runs.
func TestLateResultOfOneTask(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test waits")
	}
	for n := range 3 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			dir, s := t.TempDir(), toy.Spec(t, toy.AtC+toy.Three)
			g := plan(t, dir, 1, s)
			if err := g.Do(t.Context(), n, only(s), toy.Options(dir)); err != nil {
				t.Fatal(err)
			}
			results := filepath.Join(dir, "test/tiny/own")
			if err := os.Rename(results, results+".late"); err != nil {
				t.Fatal(err)
			}
			go func() {
				time.Sleep(300 * time.Millisecond)
				_ = os.Rename(results+".late", results)
			}()
			missing, err := g.Missing(t.Context(), 30*time.Second)
			if err != nil || len(missing) != 2 {
				t.Fatalf("missing runs = %+v, %v, want 2", missing, err)
			}
			for _, m := range missing {
				if m.Task == n {
					t.Errorf("the run of task %d is missing: %+v, want its result", n, m)
				}
			}
		})
	}
}

// TestDamagedManifests checks that Open returns an error if a manifest is damaged, inconsistent or absent.
func TestDamagedManifests(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"format":"other"}`,
		`{"format":"gaplab-grid/1","tasks":[{"parts":[{"spec":3,"runs":[{}]}]}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{}],"arrays":[{"count":1}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{}]}],"arrays":[{"count":1}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{"runs":[{}]}]}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{"runs":[{}]}]}],"arrays":[{"count":1,"after":[0]}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{"spec":-1,"runs":[{}]}]}],"arrays":[{"count":1}]}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := cluster.Open(dir); err == nil || !strings.HasPrefix(err.Error(), dir) ||
			strings.Contains(err.Error(), "%!") {
			t.Errorf("Open with manifest %s: error %v, want one that begins with the folder", text, err)
		}
	}
	if _, err := cluster.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "the folder of a campaign") {
		t.Errorf("Open without a manifest: error %v, want one that asks for the folder of a campaign", err)
	}
}

// TestStatusIsQuick checks that Status counts 2000 results within half a second. It counts them by their file names and
// does not read the files, which are empty.
func TestStatusIsQuick(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test writes thousands of files")
	}
	const many = 2000
	dir := t.TempDir()
	var tasks []string
	results := filepath.Join(dir, "test/many/own")
	if err := os.MkdirAll(results, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range many {
		tasks = append(tasks, fmt.Sprintf(`{"parts":[{"spec":0,"runs":[{"plan":"%016x","key":"%016x","data":"%064x",
			"name":"eg C=10 seed=%d"}]}]}`, i, i, i, i))
		if i > 0 {
			if err := os.WriteFile(filepath.Join(results, fmt.Sprintf("%016x.jsonl", i)), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	g := filepath.Join(dir, ".grids/g")
	if err := os.MkdirAll(g, 0o777); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"format":"gaplab-grid/1","id":"g","specs":[{"id":"test/many","scale":"own"}],"tasks":[%s],
		"arrays":[{"count":%d}]}`, strings.Join(tasks, ","), many)
	if err := os.WriteFile(filepath.Join(g, "manifest.json"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	opened, err := cluster.Open(g)
	if err != nil {
		t.Fatal(err)
	}
	s, err := opened.Status(t.Context(), nil)
	took := time.Since(begun)
	if err != nil || took > time.Second/2 || s.Finished != many-1 || s.Count(cluster.Done) != many-1 {
		t.Errorf("Status counts %d results in %v, %v, want %d within 0.5s", s.Finished, took, err, many-1)
	} else {
		t.Logf("Status counts %d results in %v", many-1, took)
	}
}
