package docs_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestRelease checks the configuration of releases: its platforms, that the programs are static, and that the files of
// the archives exist or are made before.
func TestRelease(t *testing.T) {
	t.Chdir("..")
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Before struct{ Hooks []string }
		Builds []struct {
			Main, Binary      string
			Env, Goos, Goarch []string
		}
		Archives []struct{ Files []yaml.Node }
	}
	if err := yaml.Unmarshal(text, &c); err != nil || len(c.Builds) != 1 || len(c.Archives) != 1 {
		t.Fatalf("%v: %d builds and %d archives, want one of each", err, len(c.Builds), len(c.Archives))
	}
	b := c.Builds[0]
	if !slices.Equal(b.Goos, []string{"linux", "darwin", "windows"}) ||
		!slices.Equal(b.Goarch, []string{"amd64", "arm64"}) || !slices.Contains(b.Env, "CGO_ENABLED=0") ||
		b.Main != "./cmd/gaplab" {
		t.Errorf("the build is %+v, want static programs of ./cmd/gaplab for six platforms", b)
	}
	made := strings.Join(c.Before.Hooks, "\n")
	for _, node := range c.Archives[0].Files {
		var from struct{ Src string }
		if node.Kind == yaml.ScalarNode {
			if _, err := os.Stat(node.Value); err != nil {
				t.Error(err)
			}
		} else if err := node.Decode(&from); err != nil || !strings.Contains(made, strings.TrimSuffix(from.Src, "/*")) {
			t.Errorf("%v: no command makes %q before the archives", err, from.Src)
		}
	}
}
