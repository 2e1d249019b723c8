package datasets_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// crosses reports whether any two arcs of the heads cross. It compares all pairs of arcs, as in the definition of
// Projective.
func crosses(heads []int32) bool {
	for t, h := range heads {
		a, b := min(int(h), t+1), max(int(h), t+1)
		for u, g := range heads {
			c, d := min(int(g), u+1), max(int(g), u+1)
			if a < c && c < b && b < d {
				return true
			}
		}
	}
	return false
}

func TestProjective(t *testing.T) {
	for _, c := range []struct {
		heads []int32
		want  bool
	}{
		{nil, true},
		{[]int32{0}, true},
		{[]int32{2, 0, 2}, true},
		{[]int32{3, 1, 0}, true},
		{[]int32{0, 4, 1, 1}, false}, // the arcs 3→1 (dependent→head) and 2→4 cross
		{[]int32{3, 0, 2}, false},    // the arc 2→0 to the root crosses the arc 1→3
		{[]int32{0, 0, 0}, true},
	} {
		if got := datasets.Projective(c.heads); got != c.want {
			t.Errorf("Projective(%v) = %v, want the opposite", c.heads, got)
		}
	}
}

// TestProjectiveTreesAreCounted checks Projective against its definition for all assignments of heads to up to six
// tokens, whether they form a tree or not. It also checks two counts: there are (n+1)^(n−1) trees with any number of
// roots (Cayley), and C(3n, n)/(2n+1) of them are projective. The second number is also the number of ternary trees
// with n nodes.
func TestProjectiveTreesAreCounted(t *testing.T) {
	projective := []int{1, 1, 3, 12, 55, 273, 1428}
	trees := []int{1, 1, 3, 16, 125, 1296, 16807}
	for n := 1; n <= 6; n++ {
		heads := make([]int32, n)
		gotTrees, gotProjective := 0, 0
		for {
			if datasets.Projective(heads) == crosses(heads) {
				t.Fatalf("Projective(%v) = %v, want the opposite", heads, !crosses(heads))
			}
			if token, _ := datasets.HeadFault(heads); token == 0 {
				gotTrees++
				if datasets.Projective(heads) {
					gotProjective++
				}
			}
			k := 0
			for k < n && heads[k] == int32(n) {
				heads[k] = 0
				k++
			}
			if k == n {
				break
			}
			heads[k]++
		}
		if gotTrees != trees[n] || gotProjective != projective[n] {
			t.Errorf("%d tokens: trees = %d, projective trees = %d; want %d, %d", n, gotTrees, gotProjective, trees[n],
				projective[n])
		}
	}
}

func TestHeadFault(t *testing.T) {
	for _, c := range []struct {
		heads []int32
		token int
		what  string
	}{
		{[]int32{2, 0, 2}, 0, ""},
		{[]int32{0, 0}, 0, ""},
		{[]int32{0, 4, 1}, 2, "head 4: want 0 for the root, or a token from 1 to 3"},
		{[]int32{0, -1}, 2, "head -1: want 0"},
		{[]int32{0, 2}, 2, "token 2 is its own head"},
		{[]int32{2, 1}, 1, "the sentence has no root"},
		{[]int32{0, 3, 4, 2, 2}, 2, "token 2 is in a cycle of heads"},
		{[]int32{0, 3, 4, 3}, 3, "token 3 is in a cycle of heads"},
	} {
		token, what := datasets.HeadFault(c.heads)
		if token != c.token || !strings.HasPrefix(what, c.what) {
			t.Errorf("HeadFault(%v) = %d, %q; want %d, %q", c.heads, token, what, c.token, c.what)
		}
	}
}

func TestTreesHaveNoFault(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		heads := datasettest.DrawHeads(t, rapid.IntRange(1, 40).Draw(t, "n"))
		if token, what := datasets.HeadFault(heads); token != 0 {
			t.Fatalf("HeadFault(%v) = %d, %q; want no fault", heads, token, what)
		}
		if datasets.Projective(heads) == crosses(heads) {
			t.Fatalf("Projective(%v) = %v, want the opposite", heads, datasets.Projective(heads))
		}
	})
}
