package settings

import (
	"math"
	"testing"
)

type part struct {
	Eta    float64 `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
	Count  int     `yaml:"count" jsonschema:"minimum=1,maximum=9"`
	Order  string  `yaml:"order" jsonschema:"enum=random,enum=cyclic"`
	Kind   string  `yaml:"kind" jsonschema:"enum=a,enum=b" settings:"optional"`
	Hidden int     `jsonschema:"minimum=1"`
}

func TestFaults(t *testing.T) {
	sound := part{Eta: 1, Count: 9, Order: "cyclic"}
	if err := Check(sound); err != nil {
		t.Errorf("sound settings: %v", err)
	}
	if err := Check(&sound); err != nil {
		t.Errorf("a pointer to sound settings: %v", err)
	}
	for _, c := range []struct {
		change func(*part)
		key    string
		says   string
	}{
		{func(p *part) { p.Eta = 0 }, "eta", "eta is 0: want a number above 0"},
		{func(p *part) { p.Eta = math.NaN() }, "eta", "eta is NaN: want a number above 0"},
		{func(p *part) { p.Eta = math.Inf(1) }, "eta", "eta is +Inf: want a number above 0"},
		{func(p *part) { p.Count = 10 }, "count", "count is 10: want a number of at least 1 and at most 9"},
		{func(p *part) { p.Order = "" }, "order", `order is ""; accepted: random, cyclic`},
		{func(p *part) { p.Kind = "c" }, "kind", `kind is "c"; accepted: a, b`},
	} {
		p := sound
		c.change(&p)
		faults := Faults(p)
		if len(faults) != 1 || faults[0].Key != c.key || faults[0].Error() != c.says || faults[0].Want == "" {
			t.Errorf("%+v: %v: want %s", p, faults, c.says)
		}
	}
	if faults := Faults(part{}); len(faults) != 3 || Check(part{}).Error() != faults[0].Error() {
		t.Errorf("three faults at once: %v", faults)
	}
}
