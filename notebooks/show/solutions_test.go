package show_test

// solution has the lines that stand for the blanks of an exercise, in their order.
type solution struct{ right, wrong []string }

// solutions returns the solutions of the notebooks at smoke scale, by notebook and number.
func solutions() map[string]solution {
	return map[string]solution{
		"own-solver 1": {[]string{"factor := 3"}, []string{"factor := 10.0"}},
		"own-solver 2": {
			[]string{"step := func(gain, size float64) float64 { return min(1, max(0, 1.5*gain)/size) }", "fewer := true"},
			[]string{"step := func(gain, size float64) float64 { return 1.5 * gain / size }", "fewer := false"},
		},
		"eg 1": {[]string{"C := 1"}, []string{"C := 1000"}},
		"eg 2": {
			[]string{"percent := func(p, d, o float64) float64 { return 100 * (p - d) / math.Abs(o) }"},
			[]string{"percent := func(p, d, o float64) float64 { return 100 * (p - o) / o }"},
		},
		"eg 3": {
			[]string{"    order: {grid: [random, permutation]}", "fewer := true"},
			[]string{"    order: {grid: [random, cyclic]}", "fewer := false"},
		},
		"cutting-plane 1": {[]string{"factor := 2"}, []string{"factor := 10"}},
		"cutting-plane 2": {[]string{"cache := 5"}, []string{"cache := 20"}},
		"egr 1": {
			[]string{"formula := func(k, mu1 float64) float64 { return 6 * mu1 / ((k + 1) * (k + 2)) }"},
			[]string{"formula := func(k, mu1 float64) float64 { return mu1 / (k * k) }"},
		},
		"egr 2": {[]string{"bound := 5", "gap := 10"}, []string{"bound := 25", "gap := 100"}},
		"bethe 1": {
			[]string{"slope := func(c, S, m float64) float64 { return c * (S - m) }"},
			[]string{"slope := func(c, S, m float64) float64 { return c * S }"},
		},
		"bethe 2": {[]string{`template := "no-more"`}, []string{`template := "pair-never"`}},
		"rsd 1":   {[]string{"p := 2.3"}, []string{"p := 3"}},
		"rsd 2":   {[]string{"times := 1.7"}, []string{"times := 1"}},
	}
}
