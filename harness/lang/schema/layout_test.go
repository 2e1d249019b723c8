package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// value returns a random plain value: a short or a long text, a number, a truth value, nothing, a list or a map.
func value(rng *rand.Rand, depth int) any {
	texts := []string{"", "a", "<a & b>", `"`, "two\nlines", strings.Repeat("long ", 40), strings.Repeat("é", 118)}
	switch kind := rng.IntN(8); {
	case depth == 0 && kind > 3, kind < 2:
		return texts[rng.IntN(len(texts))]
	case kind == 2:
		return []any{float64(rng.IntN(100)), true, false, nil}[rng.IntN(4)]
	case kind == 3:
		return []any{[]any{}, schema.Object{}}[rng.IntN(2)]
	case kind < 6:
		list := make([]any, rng.IntN(6))
		for i := range list {
			list[i] = value(rng, depth-1)
		}
		return list
	}
	m := schema.Object{}
	for range rng.IntN(6) {
		m[texts[rng.IntN(len(texts))]] = value(rng, depth-1)
	}
	return m
}

// TestLayoutIsTheValue checks that the text of a random value is JSON of this value, and that its lines have at most
// 122 bytes, apart from lines with a text that no line can hold.
func TestLayoutIsTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 5))
	several := 0
	for range 2000 {
		v := value(rng, 4)
		text := schema.Layout(v)
		var got any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v: %v: %s", v, err, text)
		}
		plain, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(plain, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("the text is another value: %s, want %s", text, plain)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if len(lines) > 1 {
			several++
		}
		for _, line := range lines {
			if len(line) > 122 && !strings.Contains(line, strings.Repeat("long ", 40)) && !strings.Contains(line, "éé") {
				t.Fatalf("a line of %d bytes: %s", len(line), line)
			}
		}
	}
	if several < 100 {
		t.Errorf("%d values need several lines, want at least 100", several)
	}
}
