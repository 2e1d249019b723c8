package schedule

import (
	"path/filepath"
	"reflect"
	"testing"
)

// TestWithoutFolders checks that absolute paths lose their folders wherever they stand in settings, and that nothing
// else changes.
func TestWithoutFolders(t *testing.T) {
	file := func(name string) string { return filepath.Join(string(filepath.Separator), "home", "me", name) }
	got := withoutFolders(map[string]any{"path": file("a.txt"), "list": []any{file("b"), "sub/c", 3, []any{file("d")}},
		"deep": map[string]any{"validation": file("e"), "x": true, "none": nil}})
	want := map[string]any{"path": "a.txt", "list": []any{"b", "sub/c", 3, []any{"d"}},
		"deep": map[string]any{"validation": "e", "x": true, "none": nil}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("settings %v, want %v", got, want)
	}
}

// TestOtherCodeCounts checks that results with other code are counted, and that each component is named once.
func TestOtherCodeCounts(t *testing.T) {
	var o otherCode
	for _, parts := range [][]string{{"solver eg", "model m"}, nil, {}, {"solver eg"}, {"data set d", "solver eg"}} {
		o.add(parts)
	}
	if o.runs != 3 || o.list() != "data set d, model m, solver eg" {
		t.Errorf("%d results with other code of %s; want 3 of three components", o.runs, o.list())
	}
}
