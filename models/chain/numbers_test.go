package chain

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// TestNumbers checks that reading the feature numbers of a vocabulary gives what was written, that the format of
// earlier versions can be read too, and that damaged numbers are an error.
func TestNumbers(t *testing.T) {
	for _, want := range []numbers{{}, {0}, {198, 199, 3, math.MaxInt32, math.MinInt32, 0}} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		list, err := json.Marshal([]int32(want))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, list} {
			var got numbers
			if err := json.Unmarshal(text, &got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s gives %v, %v; want %v", text, got, err, want)
			}
		}
	}
	for _, text := range []string{`"!"`, `"gA=="`, `"/////////wE="`, "7", "[7e11]"} {
		if err := json.Unmarshal([]byte(text), new(numbers)); err == nil {
			t.Errorf("reading %s: error = nil, want an error", text)
		}
	}
}
