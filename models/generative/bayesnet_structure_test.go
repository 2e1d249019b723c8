package generative

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
)

// table returns rows of variables with two values. counts has the number of times that each row occurs.
func table(variables int, counts map[string]int) *datasets.Discrete {
	d := &datasets.Discrete{Class: variables - 1}
	for v := range variables {
		d.Variables = append(d.Variables, datasets.Variable{Name: string(rune('a' + v)), Values: []string{"0", "1"}})
	}
	for row, n := range counts {
		for range n {
			for _, c := range row {
				d.Value = append(d.Value, uint8(c-'0'))
			}
		}
	}
	return d
}

// TestMutualInformation checks mutual information, with and without a condition, against values found by hand.
func TestMutualInformation(t *testing.T) {
	// p(u, v) is 1/2, 1/4, 0, 1/4. So u has the frequencies 3/4 and 1/4, and v has 1/2 and 1/2.
	d := table(2, map[string]int{"00": 4, "01": 2, "11": 2})
	want := 0.5*math.Log(0.5/0.375) + 0.25*math.Log(0.25/0.375) + 0.25*math.Log(0.25/0.125)
	if got := mutualInformation(d, 0, 1, -1); math.Abs(got-want) > 1e-15 {
		t.Errorf("mutual information = %v, want %v", got, want)
	}
	if got := mutualInformation(d, 1, 0, -1); math.Abs(got-want) > 1e-15 {
		t.Errorf("mutual information with the variables exchanged = %v, want %v", got, want)
	}
	// a = b xor c. So a and b are independent, but given c each determines the other.
	xor := table(3, map[string]int{"000": 5, "110": 5, "101": 5, "011": 5})
	if got := mutualInformation(xor, 0, 1, -1); math.Abs(got) > 1e-15 {
		t.Errorf("mutual information of independent variables = %v, want 0", got)
	}
	if got := mutualInformation(xor, 0, 1, 2); math.Abs(got-math.Log(2)) > 1e-15 {
		t.Errorf("mutual information given the class = %v, want log 2", got)
	}
	// A constant as condition does not change the information.
	if a, b := mutualInformation(d, 0, 1, -1),
		mutualInformation(table(3, map[string]int{"000": 4, "010": 2, "110": 2}), 0, 1, 2); math.Abs(a-b) > 1e-15 {
		t.Errorf("mutual information given a constant = %v, want %v", b, a)
	}
}

// TestInformative checks which variables are chosen, and in which order.
func TestInformative(t *testing.T) {
	// The class is d, and b equals the class. a and c have the same small information.
	d := table(4, map[string]int{"0000": 3, "1010": 2, "1111": 3, "0101": 2})
	if got := informative(d, 1); !slices.Equal(got, []int{1}) {
		t.Errorf("most informative variable = %v, want [1]", got)
	}
	if got := informative(d, 2); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("two most informative variables = %v, want [0 1]: the first of equals, in the order of the data", got)
	}
}

// TestAugmentingTree checks that no tree has a larger weight: if an edge is removed, no heavier edge connects the two
// pieces.
func TestAugmentingTree(t *testing.T) {
	g := generated.RandomNetwork{Train: 20000, Variables: 12, Values: 3, Classes: 3, Contrast: 1.5, Seed: 3}
	set, err := g.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	d := set.Train.(*datasets.Discrete)
	chosen := informative(d, 12)
	parent := augmentingTree(d, chosen)
	if parent[0] != -1 {
		t.Fatalf("parent of the root = %d, want -1", parent[0])
	}
	weight := func(i, j int) float64 { return mutualInformation(d, chosen[i], chosen[j], d.Class) }
	for i := 1; i < 12; i++ {
		under := make([]bool, 12) // whether node j is in the subtree below node i
		for j := range 12 {
			for at := j; at >= 0; at = parent[at] {
				under[j] = under[j] || at == i
			}
		}
		for a := range 12 {
			for b := range 12 {
				if under[a] && !under[b] && weight(a, b) > weight(i, parent[i])+1e-12 {
					t.Fatalf("edge %d-%d has a larger weight than edge %d-%d, which it can replace", a, b, i, parent[i])
				}
			}
		}
	}
}

// TestAugmentingTreePlanted checks that augmentingTree finds a known tree, in which each variable is a noisy copy of
// its neighbour.
func TestAugmentingTreePlanted(t *testing.T) {
	// x2 is a fair coin. x0 is a noisy copy of x2, x1 of x0, and x3 of x2. So the edges are 0-2, 0-1 and 2-3. The class
	// does not depend on the variables.
	d := &datasets.Discrete{Class: 4}
	for v := range 5 {
		d.Variables = append(d.Variables, datasets.Variable{Name: string(rune('a' + v)), Values: []string{"0", "1"}})
	}
	for code := range 1 << 11 { // in each of the three copies, one value in eight is wrong
		class, coin := uint8(code&1), uint8(code>>1&1)
		flip := func(shift int) uint8 {
			if code>>shift&7 == 0 {
				return 1
			}
			return 0
		}
		x0 := coin ^ flip(2)
		d.Value = append(d.Value, x0, x0^flip(5), coin, coin^flip(8), class)
	}
	if got := augmentingTree(d, []int{0, 1, 2, 3}); !slices.Equal(got, []int{-1, 0, 0, 2}) {
		t.Errorf("parents = %v, want [-1 0 0 2]", got)
	}
	if got := augmentingTree(d, []int{2}); !slices.Equal(got, []int{-1}) {
		t.Errorf("parents of a single variable = %v, want [-1]", got)
	}
}
