package tree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// TestExpand checks that the last grid varies fastest, and that Count counts the combinations.
func TestExpand(t *testing.T) {
	p := &tree.Faults{}
	root := tree.Read(p, []byte("a: {grid: [1, 2]}\nb: [{grid: [x, y]}, {c: {grid: [5]}}]\nd: {grid: [7, 8, 9]}"))
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	var got []any
	for _, c := range tree.Expand(root, []string{"solver"}, "d") {
		got = append(got, tree.Value(c.Node).(map[string]any)["a"], tree.Value(c.Axes[1].Value))
		if path := c.Axes[2].Path; !cmp.Equal(path, []string{"solver", "b", "1", "c"}) {
			t.Errorf("the path of the third grid is %v", path)
		}
	}
	if diff := cmp.Diff([]any{1, "x", 1, "y", 2, "x", 2, "y"}, got); diff != "" {
		t.Errorf("combinations (-want +got):\n%s", diff)
	}
	if n, most := tree.Count(root, 100), tree.Count(root, 5); n != 12 || most != 6 {
		t.Errorf("%d combinations, and %d with a limit of 5; want 12 and 6", n, most)
	}
}
