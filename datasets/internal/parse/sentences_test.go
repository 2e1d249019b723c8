package parse

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestProjectiveOnly(t *testing.T) {
	s := &datasets.Sentences{Start: []int{0, 3, 7, 8}, Heads: []int32{2, 0, 2, 0, 4, 1, 1, 0}}
	kept, dropped := ProjectiveOnly(s, []int{2, 1, 0})
	if !slices.Equal(kept, []int{2, 0}) || dropped != 1 {
		t.Errorf("kept %v, dropped %d; want [2 0] and 1", kept, dropped)
	}
}
