package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDataCache checks that a run caches data of more than 1 MB, and that gaplab data cache shows and removes them.
func TestDataCache(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test parses megabytes")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	spec := `apiVersion: gaplab/v1
id: my/rows
dataset: {format: libsvm, path: rows}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: lbfgs}]
stop: {passes: 1}
`
	for name, text := range map[string]string{
		"rows.yaml": spec,
		"rows":      strings.Repeat("1 1:0.123456789\n2 2:0.987654321\n", 32_000),
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"XDG_CACHE_HOME": filepath.Join(dir, "cache")}
	gaplab := func(args ...string) string {
		t.Helper()
		var out, err bytes.Buffer
		if code := run(t.Context(), system{out: &out, err: &err, getenv: func(k string) string { return env[k] }},
			args); code != 0 {
			t.Fatalf("gaplab %v: exit code %d: %s", args, code, err.String())
		}
		return out.String()
	}
	shows := func(want string, args ...string) {
		t.Helper()
		if got := gaplab(append([]string{"data", "cache"}, args...)...); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("gaplab data cache %v shows\n%swant %s", args, got, want)
		}
	}
	shows(`(?m)^folder +sets +size +limit\n.*parsed +0 +0 B +1.0 GB$`)
	env["GAPLAB_PARSED_MB"] = "0"
	gaplab("run", "rows.yaml", "--force")
	shows(` 0 +0 B +0 B\n$`)
	if _, err := os.Stat("cache"); !os.IsNotExist(err) {
		t.Errorf("the cache folder exists although GAPLAB_PARSED_MB is 0: %v", err)
	}
	env["GAPLAB_PARSED_MB"] = "20"
	gaplab("run", "rows.yaml", "--force")
	shows(` 1 +\d+ MB +20 MB\n$`)
	gaplab("run", "rows.yaml", "--force")
	shows(`^\{"folder":".*parsed","sets":1,"bytes":\d{7},"limit":20000000\}\n$`, "--format", "json")
	shows(` 0 +0 B +20 MB\n$`, "--clear")
	gaplab("run", "rows.yaml", "--force")
	shows(` 1 `)
}
