package crate

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/results"
)

// packsAt returns a folder of results with copies of references at several scales.
func packsAt(t *testing.T, change func(f *trace.File), ids []string, scales ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, scale := range scales {
		for _, id := range ids {
			files, err := store.KeepIn(results.References, "").Read(id, "smoke")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				f.Manifest.Scale = scale
				change(f)
			}
			if _, err := store.Keep(dir).Write(id, scale, files, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestScales checks that the runs of each scale are checked, in the order of the experiments and of their plans, and
// that a scale restricts them. Runs of one key at two scales are two runs.
func TestScales(t *testing.T) {
	scales := []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper, lang.ScaleOwn}
	ids := []string{"cutting-plane/lem2", "eg/lem1"}
	dir := packsAt(t, func(*trace.File) {}, ids, scales...)
	var want []string
	for _, scale := range scales {
		for _, id := range ids {
			files, err := store.Keep(dir).Read(id, scale)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				want = append(want, scale+" "+id+" "+f.Manifest.Key)
			}
		}
	}
	o := &Opened{Path: dir, files: os.DirFS(dir)}
	for _, only := range append(scales, "") {
		var got []string
		r := &Report{}
		if r = o.Check(only); len(r.Damage)+len(r.Wrong) > 0 {
			t.Errorf("scale %q: %q, %q", only, r.Damage, r.Wrong)
		}
		for _, run := range r.Runs {
			got = append(got, run.Scale+" "+run.Experiment+" "+run.File.Manifest.Key)
		}
		own := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return !strings.HasPrefix(s, only) })
		if !slices.Equal(got, own) || r.Packs != len(ids)*map[bool]int{true: 4, false: 1}[only == ""] {
			t.Errorf("scale %q: %d packs with the runs %q, want %q", only, r.Packs, got, own)
		}
	}
}

// TestSharedRunsOnce checks that a run that several experiments share is one run of the crate, with the first of them.
func TestSharedRunsOnce(t *testing.T) {
	c, err := Make(Contents{Results: results.References, Scale: "smoke", IDs: []string{"cutting-plane/fig3"}})
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{}
	for _, id := range c.Experiments {
		files, err := store.KeepIn(results.References, "").Read(id, "smoke")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if first[f.Manifest.Key] == "" {
				first[f.Manifest.Key] = id
			}
		}
	}
	r := opened(t, zipped(t, c)).Check("")
	for _, run := range r.Runs {
		if want := first[run.File.Manifest.Key]; run.Experiment != want || run.Scale != "smoke" {
			t.Errorf("the run %s is one of %q at scale %s, want of %q once", run.File.Describe(), run.Experiment, run.Scale,
				want)
		}
		delete(first, run.File.Manifest.Key)
	}
	if len(first) > 0 {
		t.Errorf("the runs %v are missing", first)
	}
}

// TestWeakDuality checks that experiments with a primal below a dual are wrong, each by its name, and no others.
func TestWeakDuality(t *testing.T) {
	ids := []string{"cutting-plane/lem2", "eg/lem1"}
	for _, wrong := range ids {
		dir := packsAt(t, func(f *trace.File) {
			f.Manifest.Exact = ""
			if f.Manifest.Experiment == wrong {
				last := f.Rows[len(f.Rows)-1].Values
				last[trace.Dual] = last[trace.Primal] + 1
			}
		}, ids, "smoke")
		r := (&Opened{Path: dir, files: os.DirFS(dir)}).Check("")
		if len(r.Wrong) != 1 || !strings.HasPrefix(r.Wrong[0], wrong+": ") || r.Packs != 2 {
			t.Errorf("a dual above the primal in %s: %q; want one text about it", wrong, r.Wrong)
		}
	}
}

// TestAllDamage checks that all damaged files are named, and a pack that the metadata describe rightly, but that is no
// pack; it is named without the path of the crate, and the other packs are checked.
func TestAllDamage(t *testing.T) {
	c := small(t)
	dir := filepath.Join(t.TempDir(), "crate")
	if err := c.Folder(dir); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, f := range c.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Path))
		var err error
		switch i % 3 {
		case 0:
			err = os.Remove(file)
			want = append(want, f.Path+": the metadata list it, but it is missing")
		case 1:
			err = os.WriteFile(file, f.Text[1:], 0o666)
			want = append(want, fmt.Sprintf("%s: it has %d bytes; the metadata state %d", f.Path, len(f.Text)-1, len(f.Text)))
		default:
			err = os.WriteFile(file, append([]byte("x"), f.Text[1:]...), 0o666)
			want = append(want, f.Path+": its SHA-256 is ")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "z/z"} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		want = append(want, name+": the metadata do not list it")
	}
	r := opened(t, dir).Check("")
	if len(r.Damage) != len(want) || r.Files != len(c.Files) || len(want) < 5 {
		t.Fatalf("%d files, damage %q; want %q", r.Files, r.Damage, want)
	}
	for i, text := range r.Damage {
		if !strings.HasPrefix(text, want[i]) {
			t.Errorf("damage %q, want %q", text, want[i])
		}
	}
	at := slices.IndexFunc(c.Files, func(f File) bool { return f.Path == "smoke/cutting-plane/lem2.jsonl" })
	c.Files[at].Text = []byte("no pack\n")
	var err error
	if c.metadata, err = c.describe(Contents{Scale: "smoke", Licence: "https://x/y"}, nil); err != nil {
		t.Fatal(err)
	}
	if r := opened(t, zipped(t, c)).Check(""); len(r.Damage) != 1 || r.Packs != 1 || len(r.Runs) == 0 ||
		!strings.HasPrefix(r.Damage[0], "smoke/cutting-plane/lem2.jsonl:1: ") {
		t.Errorf("a file that is no pack: damage %q, %d packs and %d runs; want its path in the crate", r.Damage, r.Packs,
			len(r.Runs))
	}
}

// TestContents checks the files of a crate: of each experiment the results, the spec and, if it exists, the figure, and
// once the record of the edition at the scale, in the order of their paths, with their names. Ids that are given twice
// or in another order change nothing.
func TestContents(t *testing.T) {
	all := fstest.MapFS{"smoke/eg/lem1.svg": {Data: []byte("figure")}, "smoke/edition.json": {Data: []byte("{}")},
		"paper/edition.json": {Data: []byte("other")}, "smoke/eg/other.svg": {Data: []byte("other")}}
	for _, name := range []string{"smoke/eg/lem1.jsonl", "smoke/cutting-plane/lem2.jsonl"} {
		text, err := results.References.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	want := []string{"smoke/cutting-plane/lem2.jsonl Results of cutting-plane/lem2", "smoke/edition.json Record of the " +
		"edition: program, machine and sittings", "smoke/eg/lem1.jsonl Results of eg/lem1", "smoke/eg/lem1.svg Figure of " +
		"eg/lem1", "specs/cutting-plane/lem2.yaml Spec of cutting-plane/lem2", "specs/eg/lem1.yaml Spec of eg/lem1"}
	var first []byte
	for _, ids := range [][]string{nil, {"eg/lem1", "cutting-plane/lem2"}, {"eg/lem1", "cutting-plane/lem2", "eg/lem1"}} {
		c, err := Make(Contents{Results: all, Scale: "smoke", IDs: ids, Licence: "https://example.org/licences/X-1"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range c.Files {
			got = append(got, f.Path+" "+f.entity()["name"].(string))
			if there, ok := all[f.Path]; ok && !bytes.Equal(f.Text, there.Data) {
				t.Errorf("%s has another text", f.Path)
			}
		}
		if !slices.Equal(got, want) || len(c.Added) > 0 || len(c.Experiments) != 2 {
			t.Errorf("%v: files %q, want %q", ids, got, want)
		}
		if first == nil {
			first = c.metadata
		} else if !bytes.Equal(first, c.metadata) {
			t.Errorf("%v: other metadata than those of all experiments", ids)
		}
		for _, e := range metadataOf(t, c) {
			licence := fmt.Sprint(references(e["license"]), references(e["author"]), references(e["conformsTo"]))
			switch e["@id"] {
			case "./":
				if licence != "[https://example.org/licences/X-1] [#authors] ["+profile+"]" {
					t.Errorf("the root data set has licence, author and profile %s", licence)
				}
			case Metadata:
				if licence != "[] [] ["+specification+"]" || fmt.Sprint(references(e["about"])) != "[./]" {
					t.Errorf("the descriptor is %v", e)
				}
			case "https://example.org/licences/X-1":
				if e["name"] != "X-1" {
					t.Errorf("the licence is %v, want the name X-1", e)
				}
			}
		}
	}
}

// TestDataEntities checks the entities of data sets with files: the address and the size of each file that the
// catalogue knows, the checksums of all settings and the files of all runs, each once and sorted, and the licence. Data
// that are drawn, and those that the catalogue does not know, say so or have no licence.
func TestDataEntities(t *testing.T) {
	var known datasets.Entry
	for _, e := range catalogue.DataSets() {
		if len(e.Files) > 1 && len(e.Files[0].URLs) > 1 && e.Files[0].Bytes > 0 {
			known = e
			break
		}
	}
	if known.Name == "" {
		for _, e := range catalogue.DataSets() {
			if len(e.Files) > 1 && len(e.Files[0].URLs) > 0 && e.Files[0].Bytes > 0 {
				known = e
			}
		}
	}
	one, two := known.Files[0], known.Files[1]
	g := &graph{seen: map[string]bool{}}
	for _, m := range []trace.DataManifest{
		{Name: known.Name, Checksum: "b", Files: map[string]string{two.Name: "sum 2"}},
		{Name: "drawn", Checksum: "x", Synthetic: true},
		{Name: known.Name, Checksum: "a", Files: map[string]string{one.Name: "sum 1", "drawn/own": "sum 3"}},
		{Name: known.Name, Checksum: "b"},
		{Name: known.Name, Checksum: "c", Files: map[string]string{two.Name: "sum 2"}},
	} {
		if id := g.data(m); id != "#data/"+m.Name {
			t.Errorf("the identifier of %s is %s", m.Name, id)
		}
	}
	id := func(name string) string {
		return "#data/" + known.Name + "/" + strings.TrimPrefix(name, known.Name+"/")
	}
	byID := map[string]entity{}
	for _, e := range g.list {
		byID[e["@id"].(string)] = e
	}
	parts := []string{id(one.Name), id(two.Name), id("drawn/own")}
	slices.Sort(parts)
	set, drawn := byID["#data/"+known.Name], byID["#data/drawn"]
	if !slices.Equal(set["identifier"].([]string), []string{"a", "b", "c"}) ||
		set["name"] != known.Name+": "+known.Title ||
		fmt.Sprint(set["hasPart"]) != fmt.Sprint(refs(parts)) || fmt.Sprint(set["license"]) != fmt.Sprint(ref("#licence/"+
		known.Name)) || byID["#licence/"+known.Name]["description"] != known.Licence {
		t.Errorf("the data set is %v, with the licence %v; want the parts %q", set, byID["#licence/"+known.Name], parts)
	}
	if drawn["name"] != "drawn" || drawn["license"] != nil || drawn["hasPart"] != nil ||
		!strings.Contains(drawn["description"].(string), "drawn from a seed") ||
		strings.Contains(set["description"].(string), "drawn from a seed") {
		t.Errorf("the drawn data set is %v, the other one %v", drawn, set)
	}
	for i, f := range []datasets.File{one, two, {Name: "drawn/own"}} {
		e := byID[id(f.Name)]
		var url, size any
		if len(f.URLs) > 0 {
			url = f.URLs[0]
		}
		if f.Bytes > 0 {
			size = strconv.FormatInt(f.Bytes, 10)
		}
		if e["sha256"] != fmt.Sprint("sum ", i+1) || e["name"] != f.Name || e["url"] != url || e["contentSize"] != size {
			t.Errorf("the file %s is %v; want the address %v and the size %v", f.Name, e, url, size)
		}
	}
}

// TestNamesInMetadata checks that a name in the metadata that leads out of the crate is refused, that a folder in a zip
// file is no file of it, and that its name is checked all the same.
func TestNamesInMetadata(t *testing.T) {
	byID := func(name string) map[string]node {
		return map[string]node{name: {ID: name, Type: oneOf{"File"}, ContentSize: "1", SHA256: "x"}}
	}
	for _, name := range []string{"../x", "/x", `a\x`, "a/../../x", ""} {
		if _, err := listOf(byID(name), node{HasPart: pointer{name}}); err == nil || !strings.HasPrefix(err.Error(),
			Metadata+": the file name ") {
			t.Errorf("%q: error %v; want that the name leads out of the crate", name, err)
		}
	}
	if list, err := listOf(byID("./a/x"), node{HasPart: pointer{"./a/x"}}); err != nil || len(list) != 1 ||
		list[0] != (listed{"a/x", 1, "x"}) {
		t.Errorf("./a/x is read as %v, %v", list, err)
	}
	c := small(t)
	r := opened(t, zipOf(t, c, entry{zip.FileHeader{Name: "smoke/"}, nil}, entry{zip.FileHeader{Name: "empty/"}, nil})).
		Check("")
	if len(r.Damage)+len(r.Wrong) > 0 || r.Packs != 2 {
		t.Errorf("a zip file with folders: damage %q, %d packs", r.Damage, r.Packs)
	}
	if _, err := Open(zipOf(t, c, entry{zip.FileHeader{Name: "../smoke/"}, nil})); !errors.Is(err, trace.ErrDamaged) {
		t.Errorf("a folder above the crate: error %v", err)
	}
}

// TestExactNeeds compares the runs that a run needs with those of a second, slow implementation: the smallest set with
// the run that has the bases of its runs and, for each run that was chosen among several or that a choice ends early,
// all runs of the choice.
func TestExactNeeds(t *testing.T) {
	const own = `apiVersion: gaplab/v1
id: my/choice
title: A choice
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [1, 10]}
seeds: [1, 2]
solvers: [{name: eg}, {as: s, name: sgd, eta0: {grid: [0.1, 1]}}]
stop: {passes: 5}
choose: [{solver: s, over: eta0, by: validation_error`
	sizes, free := map[int]bool{}, false // free: whether a run is compared at its end only, so it needs no other
	for _, id := range []string{"eg/fig10", "bethe/tab3", "eg/lem1", "eg/fig09", "bethe/prop4", own + "}]\n",
		own + ", folds: 2}]\n", own + ", at: {passes: 1}}]\n"} {
		e, err := harness.Find(id)
		if strings.HasPrefix(id, own) {
			e, err = harness.Find(written(t, "spec.yaml", []byte(id)))
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.At(lang.ScaleSmoke, nil)
		if strings.HasPrefix(id, own) {
			s, err = e.At("", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		keys := make([]string, len(plan))
		for i, r := range plan {
			keys[i] = origin.PlanKey(r)
		}
		for i, r := range plan {
			free = free || r.Choose != nil && !r.Choose.Final && !r.Early()
			want := map[string]bool{keys[i]: true}
			for before := 0; before < len(want); {
				before = len(want)
				for j, r := range plan {
					if !want[keys[j]] {
						continue
					}
					if r.Base != nil {
						want[origin.PlanKey(*r.Base)] = true
					}
					for k, other := range plan {
						if r.Choose != nil && other.Choose != nil && (r.Choose.Final || r.Early()) &&
							r.Choose.Group == other.Choose.Group {
							want[keys[k]] = true
						}
					}
				}
			}
			if got := needs(plan, keys[i]); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: run %d needs %v, want %v", id, i, got, want)
			}
			sizes[len(want)] = true
		}
	}
	if len(sizes) < 3 || !free {
		t.Errorf("the runs need %v runs, want several numbers; some run is compared at its end: %v", sizes, free)
	}
}

// TestRowsOfRemake checks what the comparison says about each run, that it is told after each, that components with
// other code are named, that a run on other data is missing, and that an interruption ends the comparison.
func TestRowsOfRemake(t *testing.T) {
	o := opened(t, zipped(t, small(t)))
	runs := o.Check("").Runs
	first := runs[0]
	change := func(edit func(f *trace.File)) Run {
		f := *first.File
		end := *f.End
		f.End = &end
		edit(&f)
		return Run{first.Experiment, first.Scale, &f, nil}
	}
	list := []Run{
		change(func(f *trace.File) {
			sources := map[string]string{}
			for part, sum := range f.Manifest.Sources {
				sources[part] = sum
				if strings.HasPrefix(part, "solver ") {
					sources[part] += "x"
				}
			}
			f.Manifest.Sources, f.End.CPUSeconds = sources, 1e6
		}),
		change(func(f *trace.File) { f.Manifest.Data.Checksum = "other" }),
		{"eg/none", first.Scale, first.File, nil},
	}
	var told []Row
	rows, err := o.Remake(t.Context(), list, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}, Workers: 2},
		func(r Row) { told = append(told, r) })
	if err != nil || len(rows) != 3 || fmt.Sprint(told) != fmt.Sprint(rows) {
		t.Fatalf("rows %+v, %v; told %+v", rows, err, told)
	}
	m := first.File.Manifest
	for i, want := range []struct{ experiment, verdict, why string }{{first.Experiment, Equal, ""},
		{first.Experiment, Missing, "other data than planned"}, {"eg/none", Missing, "the crate has no specs/eg/none.yaml"}} {
		r := rows[i]
		if r.Experiment != want.experiment || r.Scale != first.Scale || r.Key != m.Key || r.Run != first.File.Describe() ||
			r.Rows != len(first.File.Rows) || r.Verdict != want.verdict || !strings.Contains(r.Why, want.why) ||
			(r.Why == "") != (want.why == "") || r.Needed != 0 || r.NeededTook != 0 {
			t.Errorf("row %d: %+v; want %s, %q", i, r, want.verdict, want.why)
		}
	}
	if r := rows[0]; r.Then != 1e6 || r.Now <= 0 || r.Ratio != r.Now/1e6 ||
		!slices.ContainsFunc(r.OtherCode, func(part string) bool { return strings.HasPrefix(part, "solver ") }) {
		t.Errorf("the times and the other code are %+v; want the solver in it", r)
	}
	if r := rows[1]; r.Then != first.File.End.CPUSeconds || r.Now != 0 || r.OtherCode != nil {
		t.Errorf("a run that was not made has %+v", r)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	rows, err = o.Remake(ctx, []Run{runs[0], runs[1]}, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}},
		func(Row) { cancel(stop) })
	if err != stop || len(rows) != 1 || rows[0].Verdict != Equal {
		t.Errorf("interrupted after a run: %+v, %v; want this run", rows, err)
	}
}

// TestFilesInZip checks that the metadata are the first file of a zip file, and that no file is compressed.
func TestFilesInZip(t *testing.T) {
	c := small(t)
	z, err := zip.OpenReader(zipped(t, c))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if f.Method != zip.Store || path.Clean(f.Name) != f.Name {
			t.Errorf("%s: method %d", f.Name, f.Method)
		}
	}
	want := []string{Metadata}
	for _, f := range c.Files {
		want = append(want, f.Path)
	}
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
}
