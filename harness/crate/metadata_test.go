package crate

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/results"
)

// metadataOf returns the entities of a crate's metadata.
func metadataOf(t *testing.T, c *Crate) []map[string]any {
	t.Helper()
	var all struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(c.metadata, &all); err != nil {
		t.Fatal(err)
	}
	return all.Graph
}

// TestMetadata checks the entities that the profiles require, and that each reference has an entity.
func TestMetadata(t *testing.T) {
	c := small(t)
	all := metadataOf(t, c)
	byID := map[string]map[string]any{}
	for _, e := range all {
		id := e["@id"].(string)
		if byID[id] != nil {
			t.Errorf("two entities %s", id)
		}
		byID[id] = e
	}
	for _, e := range all {
		for key, v := range e {
			for _, id := range references(v) {
				if byID[id] == nil && !strings.HasPrefix(id, "https://w3id.org/ro/crate/") {
					t.Errorf("%s: %s names %s, which has no entity", e["@id"], key, id)
				}
			}
		}
	}
	root := byID["./"]
	for _, key := range []string{"name", "description", "datePublished", "license", "hasPart", "mentions", "citation"} {
		if root[key] == nil {
			t.Errorf("the root data set has no %s", key)
		}
	}
	for _, id := range references(root["mentions"]) {
		for _, key := range []string{"name", "instrument", "object", "result", "startTime", "endTime"} {
			if byID[id][key] == nil {
				t.Errorf("%s has no %s", id, key)
			}
		}
		for _, key := range []string{"softwareVersion", "softwareRequirements"} {
			for _, program := range references(byID[id]["instrument"]) {
				if byID[program][key] == nil {
					t.Errorf("%s has no %s", program, key)
				}
			}
		}
	}
	if n := len(references(root["hasPart"])); n != len(c.Files) {
		t.Errorf("the root data set has %d parts; want %d", n, len(c.Files))
	}
	media := map[string]string{".jsonl": "application/jsonl", ".gz": "application/gzip", ".svg": "image/svg+xml",
		".yaml": "application/yaml", ".json": "application/json"}
	for _, f := range c.Files {
		e := byID[f.Path]
		if e["@type"] != "File" || e["contentSize"] != fmt.Sprint(len(f.Text)) ||
			e["encodingFormat"] != media[path.Ext(f.Path)] || e["sha256"] != fmt.Sprintf("%x", sha256.Sum256(f.Text)) ||
			!strings.HasSuffix(e["name"].(string), f.of) {
			t.Errorf("the entity of %s is %v", f.Path, e)
		}
	}
	total, latest := 0, ""
	kept := store.KeepIn(results.References, "")
	for _, id := range c.Experiments {
		files, err := kept.Read(id, "smoke")
		if err != nil {
			t.Fatal(err)
		}
		first, data := "", map[string]bool{}
		for _, f := range files {
			if start := f.Manifest.Start; first == "" || start < first {
				first = start
			}
			m := f.Manifest.Data
			latest, data["#data/"+m.Name] = max(latest, f.Manifest.Start), true
			if sums := byID["#data/"+m.Name]["identifier"]; !strings.Contains(fmt.Sprint(sums), m.Checksum) {
				t.Errorf("the data set of a run of %s has the checksums %v, want %s", id, sums, m.Checksum)
			}
			for name, sum := range m.Files {
				file := byID[fmt.Sprintf("#data/%s/%s", m.Name, strings.TrimPrefix(name, m.Name+"/"))]
				if file["sha256"] != sum || file["name"] != name {
					t.Errorf("the entity of the file %s of a data set is %v", name, file)
				}
			}
		}
		total += len(files)
		e := byID["#run/"+id]
		objects := references(e["object"])
		if e["startTime"] != first || len(objects) != 1+len(data) || objects[0] != "specs/"+id+".yaml" || !data[objects[1]] {
			t.Errorf("the action of %s began at %v, with %v; want %s, the spec and %v", id, e["startTime"], objects, first,
				data)
		}
		if text := e["description"].(string); !strings.Contains(text, fmt.Sprintf(". %d run", len(files))) {
			t.Errorf("the description of %s is %q, want %d runs", id, text, len(files))
		}
	}
	if text := root["description"].(string); !strings.Contains(text, fmt.Sprintf("The rows of %d runs", total)) ||
		root["datePublished"] != latest[:10] || root["name"] != "gaplab: results of 2 experiments at scale smoke" {
		t.Errorf("the root data set is %v; want %d runs, the last of them at %s", root, total, latest)
	}
}

// TestInstruments checks that the action of an experiment names each program that made its runs once: none, one alone,
// or a list. A run that failed before it read its data adds no data set.
func TestInstruments(t *testing.T) {
	run := func(commit, data string) *trace.File {
		m := trace.Manifest{Origin: trace.Origin{Commit: commit}, Data: trace.DataManifest{Name: data}}
		return &trace.File{Manifest: m}
	}
	one, two, none := run("one", "b"), run("two", "a"), run("three", "")
	for _, c := range []struct {
		files         []*trace.File
		programs, all string
	}{
		{nil, "<nil>", "specs/p/e.yaml"},
		{[]*trace.File{one, one}, "map[@id:#program/gaplab-one-unknown]", "specs/p/e.yaml #data/b"},
		{[]*trace.File{two, one}, "[map[@id:#program/gaplab-one-unknown] map[@id:#program/gaplab-two-unknown]]",
			"specs/p/e.yaml #data/a #data/b"},
		{[]*trace.File{one, two, none, two}, "[map[@id:#program/gaplab-one-unknown] map[@id:#program/gaplab-three-unknown] " +
			"map[@id:#program/gaplab-two-unknown]]", "specs/p/e.yaml #data/a #data/b"},
	} {
		g := &graph{seen: map[string]bool{}}
		id := g.action("p/e", "paper", []string{"paper/p/e.jsonl", "specs/p/e.yaml", "paper/p/e.svg"}, c.files)
		e := g.list[slices.IndexFunc(g.list, func(e entity) bool { return e["@id"] == id })]
		var objects, results []string
		for _, r := range e["object"].([]entity) {
			objects = append(objects, r["@id"].(string))
		}
		for _, r := range e["result"].([]entity) {
			results = append(results, r["@id"].(string))
		}
		if fmt.Sprint(e["instrument"]) != c.programs || strings.Join(objects, " ") != c.all ||
			!slices.Equal(results, []string{"paper/p/e.jsonl", "paper/p/e.svg"}) {
			t.Errorf("the action is %v; want the programs %s and the objects %s", e, c.programs, c.all)
		}
	}
}

// TestCitations checks that a crate cites the papers of its experiments and no others, each with the year at the end of
// its citation.
func TestCitations(t *testing.T) {
	keys := map[string]string{} // years by the key of a paper
	for _, p := range experiments.Papers() {
		keys[p.Key] = p.Citation
	}
	for _, ids := range [][]string{nil, {"eg/lem1"}, {"eg/lem1", "eg/fig06", "bethe/prop4"}} {
		g := &graph{seen: map[string]bool{}}
		got, err := g.papers(ids)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for _, id := range ids {
			want["#paper/"+path.Dir(id)] = true
		}
		if len(want) != len(got) || len(g.list) != len(got) {
			t.Errorf("the experiments %v cite %v, want %v", ids, got, want)
		}
		for _, e := range g.list {
			citation := keys[strings.TrimPrefix(e["@id"].(string), "#paper/")]
			year, _ := e["datePublished"].(string)
			if !want[e["@id"].(string)] || !strings.Contains(citation, "*"+e["name"].(string)+"*") || len(year) != 4 ||
				e["description"] != strings.Join(strings.Split(citation, "*"), "") ||
				strings.Contains(citation[strings.LastIndex(citation, year)+4:], "20") {
				t.Errorf("the experiments %v cite %v; the citation is %q", ids, e, citation)
			}
		}
	}
}

// TestAbout checks the description of an experiment: its title, the number of its runs by status, and its machines.
func TestAbout(t *testing.T) {
	run := func(cpu string, s trace.Status) *trace.File {
		m := trace.Manifest{Origin: trace.Origin{CPU: cpu, Platform: "linux/amd64"}}
		return &trace.File{Manifest: m, End: &trace.End{Status: s}}
	}
	files := []*trace.File{run("B", trace.Done), run("A", trace.Budget), run("B", trace.Done), run("", trace.Done)}
	const want = "4 runs: 1 budget, 3 done. Machine: A linux/amd64; B linux/amd64; linux/amd64."
	if got := about("p/none", files); got != want {
		t.Errorf("the description is %q, want %q", got, want)
	}
	name := title("eg/lem1")
	if got := about("eg/lem1", files); got != strings.TrimSuffix(name, ".")+". "+want || name == "" {
		t.Errorf("the description is %q, want the title %q and %q", got, name, want)
	}
}

// TestContradictions makes a crate of all experiments of a folder, and checks which runs contradict themselves: those
// whose rows do not have the digest that their manifest states, if they have all rows and a digest, and those with a
// primal below a dual. Check counts the digests that it compared.
func TestContradictions(t *testing.T) {
	kept := store.KeepIn(results.References, "")
	for _, c := range []struct {
		name   string
		change func(f *trace.File)
		exact  bool
		wrong  string // in the text for each run; "": the runs agree
	}{
		{"no digest", func(f *trace.File) { f.Manifest.Exact = "" }, false, ""},
		{"the right digest", func(f *trace.File) { f.Manifest.Exact = trace.Exact(f.Rows) }, true, ""},
		{"another digest", func(f *trace.File) { f.Manifest.Exact = "abc" }, true, "its manifest states abc"},
		{"another row", func(f *trace.File) {
			f.Manifest.Exact = trace.Exact(f.Rows)
			f.Rows[0].Values[trace.Passes]++
		}, true, "the digest of its rows is"},
		{"a digest of more rows", func(f *trace.File) {
			f.Manifest.Exact, f.Manifest.Thinned = "abc", len(f.Rows)+1
		}, false, ""},
	} {
		dir, n := t.TempDir(), 0
		for _, id := range []string{"eg/lem1", "cutting-plane/lem2"} {
			files, err := kept.Read(id, "smoke")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				f.Manifest.Thinned, f.Manifest.Kept = 0, nil
				c.change(f)
				n++
			}
			if _, err := store.Keep(dir).Write(id, "smoke", files, false); err != nil {
				t.Fatal(err)
			}
		}
		all, err := Make(Contents{Results: os.DirFS(dir), Scale: "smoke"})
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Experiments) != 2 || len(all.Added) != 0 {
			t.Errorf("the crate has the experiments %v, added %v; want those of the folder", all.Experiments, all.Added)
		}
		r := opened(t, zipped(t, all)).Check("")
		exact, wrong := map[bool]int{true: n}[c.exact], map[bool]int{true: n}[c.wrong != ""]
		if len(r.Damage) > 0 || r.Exact != exact || len(r.Wrong) != wrong || len(r.Runs) != n {
			t.Errorf("%s: %+v; want %d runs, %d digests compared, and %d of them wrong", c.name, r, n, exact, wrong)
		}
		for _, text := range r.Wrong {
			if !strings.Contains(text, c.wrong) {
				t.Errorf("%s: %q; want %q", c.name, text, c.wrong)
			}
		}
	}
}

// TestTimesOfActions checks when the runs of an experiment began and ended. The end is not known if any run was resumed
// or has no end, since the time between its parts is not known then.
func TestTimesOfActions(t *testing.T) {
	run := func(start string, seconds, rows float64, resumed int) *trace.File {
		return &trace.File{Manifest: trace.Manifest{Conditions: trace.Conditions{Start: start}},
			End: &trace.End{Seconds: seconds, RecordSeconds: rows, Resumed: resumed}}
	}
	early, late := run("2026-05-01T10:00:00Z", 7200, 30.5, 0), run("2026-05-01T11:00:00Z", 60, 1, 0)
	open := &trace.File{Manifest: late.Manifest}
	for _, c := range []struct {
		name         string
		files        []*trace.File
		began, ended string
	}{
		{"no runs", nil, "", ""},
		{"one", []*trace.File{late}, "2026-05-01T11:00:00Z", "2026-05-01T11:01:01Z"},
		{"the first one ends last", []*trace.File{early, late}, "2026-05-01T10:00:00Z", "2026-05-01T12:00:30Z"},
		{"in another order", []*trace.File{late, early}, "2026-05-01T10:00:00Z", "2026-05-01T12:00:30Z"},
		{"a zone", []*trace.File{run("2026-05-01T10:00:00+02:00", 60, 0, 0)}, "2026-05-01T10:00:00+02:00",
			"2026-05-01T08:01:00Z"},
		{"resumed once", []*trace.File{early, run("2026-05-01T11:00:00Z", 60, 1, 1)}, "2026-05-01T10:00:00Z", ""},
		{"without an end", []*trace.File{early, open}, "2026-05-01T10:00:00Z", ""},
		{"without a start", []*trace.File{run("", 1, 1, 0), late}, "2026-05-01T11:00:00Z", ""},
	} {
		if b, e := began(c.files), ended(c.files); b != c.began || e != c.ended {
			t.Errorf("%s: from %q to %q, want from %q to %q", c.name, b, e, c.began, c.ended)
		}
	}
}

// TestPrograms checks that programs are one entity if and only if commit, changes and version of Go are the same, and
// that a program with changes is told apart by the hash of its sources.
func TestPrograms(t *testing.T) {
	g := &graph{seen: map[string]bool{}}
	long := "0123456789abcdef"
	for _, c := range []struct {
		of       trace.Origin
		id, says string
	}{
		{trace.Origin{Commit: long, GoVersion: "go1"}, "#program/gaplab-0123456789ab-go1", long},
		{trace.Origin{Commit: long, GoVersion: "go2"}, "#program/gaplab-0123456789ab-go2", long},
		{trace.Origin{Commit: long, Dirty: true, Program: "x", GoVersion: "go1"}, "#program/gaplab-0123456789ab-x-go1",
			long + "+changes"},
		{trace.Origin{Commit: long, Dirty: true, Program: "y", GoVersion: "go1"}, "#program/gaplab-0123456789ab-y-go1",
			long + "+changes"},
		{trace.Origin{Commit: "0123"}, "#program/gaplab-0123-unknown", "0123"},
		{trace.Origin{}, "#program/gaplab-unknown-unknown", "unknown"},
	} {
		for range 2 {
			if id := g.program(c.of); id != c.id {
				t.Errorf("the program of %+v is %s, want %s", c.of, id, c.id)
			}
		}
		e := g.list[len(g.list)-1]
		_, hasGo := e["softwareRequirements"]
		_, hasSources := e["identifier"]
		if e["softwareVersion"] != c.says || hasGo != (c.of.GoVersion != "") || hasSources != (c.of.Program != "") {
			t.Errorf("the entity of %+v is %v, want the version %s", c.of, e, c.says)
		}
	}
	if len(g.list) != 6 {
		t.Errorf("%d programs, want 6", len(g.list))
	}
}

// TestActions checks that each file of an experiment belongs to the action of this experiment and to no other. The
// test has experiments whose ids begin with the id of another experiment.
func TestActions(t *testing.T) {
	c, err := Make(Contents{Results: results.References, Scale: "smoke",
		IDs: []string{"eg/fig12", "eg/fig12-fine", "eg/sec7", "eg/sec711"}})
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string][]string{}, map[string][]string{}
	for _, f := range c.Files {
		_, id, _ := strings.Cut(strings.TrimSuffix(f.Path, path.Ext(f.Path)), "/")
		want["#run/"+id] = append(want["#run/"+id], f.Path)
	}
	for _, e := range metadataOf(t, c) {
		if e["@type"] != "CreateAction" {
			continue
		}
		id := e["@id"].(string)
		for _, file := range append(references(e["object"]), references(e["result"])...) {
			if !strings.HasPrefix(file, "#") { // not a data set
				got[id] = append(got[id], file)
			}
		}
	}
	for id := range want {
		slices.Sort(want[id])
		slices.Sort(got[id])
	}
	if len(want) < 4 || !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("files by action: %v\nwant %v", got, want)
	}
}

// references returns the identifiers in the value of a property.
func references(v any) (ids []string) {
	switch v := v.(type) {
	case map[string]any:
		if id, ok := v["@id"].(string); ok {
			ids = append(ids, id)
		}
	case []any:
		for _, item := range v {
			ids = append(ids, references(item)...)
		}
	}
	return ids
}
