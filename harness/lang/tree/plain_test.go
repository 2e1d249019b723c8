package tree

import (
	"math"
	"reflect"
	"testing"
	"testing/quick"
	"time"

	"gopkg.in/yaml.v3"
)

// sample has the kinds of fields that settings have.
type sample struct {
	Name    string             `yaml:"name"`
	Count   int                `yaml:"count,omitempty"`
	Seed    uint64             `yaml:"seed"`
	Rate    float64            `yaml:"rate"`
	On      bool               `yaml:"on,omitempty"`
	List    []string           `yaml:"list,omitempty"`
	Numbers []float64          `yaml:"numbers"`
	Range   *[2]float64        `yaml:"range"`
	Map     map[string]int     `yaml:"map,omitempty"`
	Any     map[string]float64 `yaml:"any"`
	Below   struct{ Deep int } `yaml:"below,omitempty"`
	Next    *sample            `yaml:"next,omitempty"`
	Wait    time.Duration      `yaml:"wait"`
	Hidden  int                `yaml:"-"`
	Plain   string
}

// TestPlain compares Plain with the YAML that yaml.v3 writes, on random values and on numbers whose YAML is special.
func TestPlain(t *testing.T) {
	same := func(s sample) bool {
		s.Next = nil // testing/quick nests it
		for _, text := range append([]*string{&s.Name, &s.Plain}, pointers(s.List)...) {
			*text = string([]byte{'a', byte('a' + len(*text)%26)})
		}
		s.Map = map[string]int{"1": s.Count, "true": 2}
		s.Any = map[string]float64{"x": s.Rate}
		outer := sample{Next: &s, Plain: "p"}
		if got, want := Plain(outer), encoded(outer); !reflect.DeepEqual(got, want) {
			t.Logf("Plain = %#v\nYAML has %#v", got, want)
			return false
		}
		return true
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
	for _, v := range []any{nil, 0.0, math.Copysign(0, -1), 1.0, -3.0, 0.5, 999999.0, 1e6, 1234567.0, 1e20, 1e21, 1e-7,
		uint64(math.MaxUint64), int64(math.MinInt64), "", "true", "null", "1e3", "0x10", "~", "a: b", []int(nil), []int{},
		map[string]int(nil), (*sample)(nil), sample{}, time.Second, struct{ private int }{1},
		[]any{1, "x", nil, 2.5, map[string]any{"k": 3.0}},
		yaml.Node{Kind: yaml.ScalarNode, Value: "5"}, struct {
			sample `yaml:",inline"`
		}{}, [2]float64{1, 1e6}} {
		if got, want := Plain(v), encoded(v); !reflect.DeepEqual(got, want) {
			t.Errorf("Plain(%#v) = %#v (%[2]T), want %#v (%[3]T)", v, got, want)
		}
	}
}

func pointers(list []string) []*string {
	out := make([]*string, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

func BenchmarkPlain(b *testing.B) {
	v := sample{Name: "x", Numbers: []float64{1, 2.5}, Map: map[string]int{"a": 1}}
	for b.Loop() {
		Plain(v)
	}
}
