package nonlocal

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func TestSoftConstraintsErrors(t *testing.T) {
	base, w := segmentsBase(t)
	data := segmentsData(2, 4)
	ok := softSettings()
	upon := func(change func(*SoftConstraints)) error {
		m := ok
		change(&m)
		_, err := m.Extend(base, w, data, data)
		return err
	}
	_, alone := ok.Build(data, nil)
	_, weights := ok.Extend(base, w[1:], data, nil)
	_, other := ok.Extend(&models.Task{Model: "cfg"}, nil, data, nil)
	_, kind := ok.Extend(base, w, &datasets.Treebank{}, nil)
	for want, err := range map[string]error{
		`set the key "from" to the name of a problem`: alone,
		"the base has 31 weights: want 32":            weights,
		"the base has the model cfg":                  other,
		"bracketed trees":                             kind,
		`there is no template "exclude"`:              upon(func(m *SoftConstraints) { m.Templates = "exclude" }),
		"support is 1.5: want a number of at least 0 and at most 1": upon(
			func(m *SoftConstraints) { m.Support = 1.5 }),
		"occurs is 0: want a number of at least 1":    upon(func(m *SoftConstraints) { m.Occurs = 0 }),
		`reduce "support" or "occurs"`:                upon(func(m *SoftConstraints) { m.Occurs = 1000 }),
		`cost is ""; accepted: labels, none`:          upon(func(m *SoftConstraints) { m.Cost = "" }),
		"max_calls is 0: want a number of at least 1": upon(func(m *SoftConstraints) { m.MaxCalls = 0 }),
	} {
		examples.Refused(t, want, err, want, "model soft-constraints")
	}
}
