package harness

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestPlainNames checks that all ways to write an item of a paper have one plain name, and that two items never have
// the same.
func TestPlainNames(t *testing.T) {
	seen := map[string]string{}
	for _, names := range [][]string{
		{"fig06", "fig6", "Fig 6", "Figure 6", "figure-06", "FIG_6", "fig.6", "figure - 6"}, {"fig60", "Figure 60"},
		{"fig16"}, {"tab6", "Table 6", "table06"}, {"thm6", "Theorem 6"}, {"cor6", "Corollary 6"}, {"lem6", "Lemma 6"},
		{"alg6", "Algorithm-6"}, {"sec6", "section 6"}, {"prop6", "Proposition 6"}, {"fig06a", "fig06a"}, {"agree"},
	} {
		for _, name := range names {
			if got, want := plain(name), plain(names[0]); got != want {
				t.Errorf("plain name of %q is %q, want %q as of %q", name, got, want, names[0])
			}
		}
		if old := seen[plain(names[0])]; old != "" {
			t.Errorf("%q and %q have the same plain name", old, names[0])
		}
		seen[plain(names[0])] = names[0]
	}
}

// TestResolveOrder checks that ids and files come in the order of the arguments, each once, that Select reads them in
// this order, and that its error has the faults of all of them.
func TestResolveOrder(t *testing.T) {
	a, b := fileOf(t, atC+"solvers: [{name: eg}]\nstop: {passes: 1}\n").Name, fileWith(t, "apiVersion: 3\n")
	short := strings.TrimSuffix(b, "spec.yaml") + "short.yml"
	other := fileWith(t, "id: 7\n")
	got, err := Resolve(short, "eg/fig0[65]", a, "eg/fig06", b, a)
	want := []string{short, "eg/fig05", "eg/fig06", a, b}
	slices.Sort(got[1:3])
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Resolve = %q, %v, want %q", got, err, want)
	}
	list, err := Select("eg/fig12", a, "eg/fig06")
	if err != nil || len(list) != 3 || list[0].ID != "eg/fig12" || list[1].Name != a || list[2].ID != "eg/fig06" {
		t.Errorf("Select = %v, %v, want eg/fig12, the file and eg/fig06", list, err)
	}
	_, err = Select(b, a, other)
	refused(t, "two faulty specs", err, b, other)
	whole, err := Resolve("eg")
	if err != nil || slices.ContainsFunc(whole, func(id string) bool { return !strings.HasPrefix(id, "eg/") }) {
		t.Errorf("experiments of the paper eg are %q, %v", whole, err)
	}
}

// TestCommands checks the command that makes the results of a spec, by the file and the scale of the spec.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ file, scale, want string }{
		{"experiments/eg/fig06.yaml", lang.ScaleSmoke, "gaplab run eg/fig06 --scale smoke"},
		{"experiments/eg/fig06.yaml", lang.ScalePaper, "gaplab run eg/fig06 --scale paper"},
		{"my/fig06.yaml", lang.ScaleQuick, "gaplab run my/fig06.yaml --scale quick"},
		{"experiments/eg/other.yaml", lang.ScaleOwn, "gaplab run experiments/eg/other.yaml"},
		{"fig06.yaml", lang.ScaleOwn, "gaplab run fig06.yaml"},
	} {
		if got := runCommand(&lang.Spec{ID: "eg/fig06", File: c.file, Scale: c.scale}); got != c.want {
			t.Errorf("file %s, scale %s: %q, want %q", c.file, c.scale, got, c.want)
		}
	}
}

// TestBesideSpec checks which file a name in a spec means: one that is built into the program, if the spec is, and
// otherwise a file in the folder of the spec, but never a file outside of this folder.
func TestBesideSpec(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"experiments/bethe/own.csv": "own", "experiments/bethe/tab1.csv": "other",
		"experiments/bethe/fig2.yaml": "spec", "secret": "secret", "mine/a.yaml": "spec", "mine/sub/b.csv": "below"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	built, err := experiments.FS.ReadFile("bethe/tab1.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ in, spec, name, want string }{
		{dir, "experiments/bethe/fig2.yaml", "tab1.csv", string(built)},
		{dir, "experiments/bethe/fig2.yaml", "own.csv", "own"}, // a spec that is being written in a checkout
		{dir, "experiments/bethe/fig2.yaml", "none.csv", ""},
		{dir, "experiments/bethe/fig2.yaml", "../../secret", ""},
		{t.TempDir(), "experiments/bethe/fig2.yaml", "tab1.csv", string(built)},
		{t.TempDir(), "experiments/bethe/fig2.yaml", "own.csv", ""},
		{dir, "mine/a.yaml", "a.yaml", "spec"},
		{dir, "mine/a.yaml", "sub/b.csv", "below"},
		{dir, "mine/a.yaml", "../secret", ""},
		{dir, "mine/a.yaml", "tab1.csv", ""},
	} {
		t.Chdir(c.in)
		text, err := besideSpec(c.spec, c.name)
		if string(text) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s beside %s: %.40q, %v; want %.40q", c.name, c.spec, text, err, c.want)
		}
		if c.name == "none.csv" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v, want an fs.ErrNotExist", c.name, err)
		}
	}
}

// TestResultsFolder checks that the results folder is found from a folder below, and only beside a folder experiments.
func TestResultsFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"results", "experiments", "a/results/b", "a/c/experiments"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a/c/results"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, below := range []string{"", "results", "a/results/b", "a/c", "a/c/experiments"} {
		t.Chdir(filepath.Join(dir, below))
		if got, want := ResultsFolder(), filepath.Join(dir, "results"); got != want {
			t.Errorf("from %q the results folder is %s, want %s", below, got, want)
		}
	}
	if got := (Options{Root: "mine"}).root(); got != "mine" {
		t.Errorf("with Root, the results folder is %s, want mine", got)
	}
	t.Chdir(t.TempDir())
	if got := ResultsFolder(); got != "results" {
		t.Errorf("outside of a checkout, the results folder is %s, want results", got)
	}
}

// TestHuesOfAPaper checks that the figures of a paper have the colours of all methods of this paper, and of no other,
// and that a user's spec has none.
func TestHuesOfAPaper(t *testing.T) {
	index, err := experiments.Index()
	if err != nil {
		t.Fatal(err)
	}
	for _, paper := range []string{"eg", "egr"} {
		methods := map[string]bool{}
		for id, item := range index {
			for _, m := range item.Series {
				if strings.HasPrefix(id, paper+"/") {
					methods[m] = true
				}
			}
		}
		first, err := hues(&lang.Spec{ID: paper + "/fig01", BuiltIn: true})
		if err != nil || len(first) == 0 || !maps.Equal(methods, keysIn(first)) {
			t.Errorf("%s: methods with a colour %v, %v; want %v", paper, keysIn(first), err, methods)
		}
		other, err := hues(&lang.Spec{ID: paper + "/other", BuiltIn: true})
		if err != nil || !maps.Equal(first, other) {
			t.Errorf("%s: colours %v, and in another figure %v, %v", paper, first, other, err)
		}
	}
	if got, err := hues(&lang.Spec{ID: "eg/fig06"}); got != nil || err != nil {
		t.Errorf("a user's spec has the colours %v, %v; want none", got, err)
	}
}

// keysIn returns the set of the keys of a map.
func keysIn(m map[string]int) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}
