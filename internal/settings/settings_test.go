package settings

import (
	"math"
	"strings"
	"testing"
)

// part is a struct of settings that has a field for each kind of restriction.
type part struct {
	Rate   float64  `yaml:"rate" jsonschema:"exclusiveMinimum=0,maximum=1"`
	Steps  int      `yaml:"steps,omitempty" jsonschema:"minimum=2"`
	Order  string   `yaml:"order" jsonschema:"enum=random,enum=cyclic"`
	Rule   string   `yaml:"rule" jsonschema:"enum=decay" settings:"optional"`
	Words  []string `yaml:"words" jsonschema:"minItems=1"`
	Free   float64  `yaml:"free"`
	Hidden float64  `yaml:"-" jsonschema:"minimum=5"`
}

// TestCheck checks the message of each kind of fault, for a value and for a pointer.
func TestCheck(t *testing.T) {
	for says, change := range map[string]func(*part){
		"":                                   func(*part) {},
		"rate is 0: want a number above 0":   func(p *part) { p.Rate = 0 },
		"above 0 and at most 1":              func(p *part) { p.Rate = 2 },
		"rate is NaN":                        func(p *part) { p.Rate = math.NaN() },
		"free is +Inf: want a finite number": func(p *part) { p.Free = math.Inf(1) },
		"steps is 1: want a number of at least 2": func(p *part) { p.Steps = 1 },
		`order is ""; accepted: random, cyclic`:   func(p *part) { p.Order = "" },
		`rule is "adam"; accepted: decay`:         func(p *part) { p.Rule = "adam" },
		"words has 0 items: want at least 1":      func(p *part) { p.Words = nil },
	} {
		p := &part{Rate: 1, Steps: 2, Order: "cyclic", Words: []string{"a"}}
		change(p)
		err := Check(p)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("Check(%+v) = %v, want a message that contains %q", *p, err, says)
		}
		if other := Check(*p); (other == nil) != (err == nil) {
			t.Errorf("Check of the value = %v, Check of the pointer = %v, want the same", other, err)
		}
	}
	if err := Check(func() {}); err != nil {
		t.Errorf("Check of a value that is not a struct = %v, want nil", err)
	}
}
