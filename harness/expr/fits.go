package expr

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/expr/internal/stats"
)

// fitFunctions returns the functions that fit a line to pairs of numbers, or that compute a correlation. They skip
// pairs in which a number is missing (NaN).
func fitFunctions() []function {
	return []function{
		{
			FuncDoc: FuncDoc{"fit", "fit(y, x, mask?)", "the least-squares line of y on x, where the mask is true; its " +
				"fields are slope, intercept, r2, n (the number of points), and low and high, the 95 % confidence interval of " +
				"the slope",
				`all(series, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)`},
			least: 2, most: 3, call: fit,
		},
		{
			FuncDoc: FuncDoc{"slope", "slope(y, x)",
				"the slope of the least-squares line of log y on log x, that is the power with which y grows in x",
				`slope(map(series, T(#, 1)), map(series, 1 / .C)) <= 1.1`},
			least: 2, most: 2, call: powerSlope,
		},
		{
			FuncDoc: FuncDoc{"powerfit", "powerfit(y, x, mask?)", "the least-squares line of log y on log x, where the mask " +
				"is true; its fields are slope (the power with which y grows in x), low and high (the 95 % confidence interval " +
				"of the slope), r2, and n (the number of points)", `powerfit([2, 4, 8.5], [1, 2, 4]).low >= 0.5`},
			least: 2, most: 3, call: powerFit,
		},
		{
			FuncDoc: FuncDoc{"exponent", "exponent(y, x, mask?)", "the slope of powerfit as a number of which only the 95 % " +
				"confidence interval is known; a comparison that the interval does not decide leaves the claim undecided",
				`exponent([2, 4.1, 8, 15.9], [1, 2, 4, 8]) >= 0.9`},
			least: 2, most: 3, call: exponent,
		},
		{
			FuncDoc: FuncDoc{"spearman", "spearman(x, y)", "Spearman's rank correlation; ties get their mean rank",
				`spearman(map(series, -.C), map(series, final(#, "stage_passes"))) >= 0.95`},
			least: 2, most: 2, call: rankCorrelation,
		},
	}
}

// fit implements the function "fit" of expressions.
func fit(_ *reader, args []any) (any, error) {
	y, x, err := pairs(args)
	if err != nil {
		return nil, err
	}
	l, err := fitLine(y, x)
	if err != nil {
		return nil, err
	}
	return fields{
		names:  []string{"slope", "intercept", "r2", "n", "low", "high"},
		values: []any{l.Slope, l.Intercept, l.R2, float64(l.N), l.Low, l.High},
	}, nil
}

// powerSlope implements the function "slope" of expressions.
func powerSlope(_ *reader, args []any) (any, error) {
	l, err := powerLaw(args)
	if err != nil {
		return nil, err
	}
	return l.Slope, nil
}

// powerFit implements the function "powerfit" of expressions.
func powerFit(_ *reader, args []any) (any, error) {
	l, err := powerLaw(args)
	if err != nil {
		return nil, err
	}
	return fields{
		names:  []string{"slope", "low", "high", "r2", "n"},
		values: []any{l.Slope, l.Low, l.High, l.R2, float64(l.N)},
	}, nil
}

// exponent implements the function "exponent" of expressions.
func exponent(_ *reader, args []any) (any, error) {
	l, err := powerLaw(args)
	if err != nil {
		return nil, err
	}
	fitted := fmt.Sprintf("the power fitted to %d points is %s, with the 95 %% interval %s", l.N, formatNumber(l.Slope),
		Bounded{Low: l.Low, High: l.High})
	return merge(l.Low, l.High, Bounded{runs: []string{fitted}}), nil
}

// fitLine fits a line of y on x. If there are too few points for a line, it returns an error that Lacks recognises.
func fitLine(y, x []float64) (stats.Line, error) {
	l, err := stats.FitLine(y, x)
	if err != nil {
		return l, cannot("%v", err)
	}
	return l, nil
}

// powerLaw fits the line log y = intercept + slope log x.
func powerLaw(args []any) (stats.Line, error) {
	y, x, err := pairs(args)
	if err != nil {
		return stats.Line{}, err
	}
	for _, list := range [][]float64{y, x} {
		for i, v := range list {
			if v <= 0 {
				return stats.Line{}, cannot("element %d is %g, but a power law needs positive numbers", i, v)
			}
			list[i] = math.Log(v)
		}
	}
	return fitLine(y, x)
}

// rankCorrelation implements the function "spearman" of expressions.
func rankCorrelation(_ *reader, args []any) (any, error) {
	x, y, err := pairs(args)
	if err != nil {
		return nil, err
	}
	r := stats.Spearman(x, y)
	if math.IsNaN(r) {
		return nil, cannot("a rank correlation needs two different values in each list")
	}
	return r, nil
}

// pairs returns copies of the two lists in args without the positions where one of the lists has a NaN, or where the
// mask, an optional third argument, is false.
func pairs(args []any) (a, b []float64, err error) {
	x, err := numbers(args[0])
	if err != nil {
		return nil, nil, err
	}
	y, err := numbers(args[1])
	if err != nil {
		return nil, nil, err
	}
	if len(x) != len(y) {
		return nil, nil, fmt.Errorf("the lists have %d and %d elements; accepted: equal lengths", len(x), len(y))
	}
	var mask []bool
	if len(args) > 2 {
		if mask, err = booleans(args[2]); err != nil {
			return nil, nil, err
		}
		if len(mask) != len(x) {
			return nil, nil, fmt.Errorf("the mask has %d elements, but the lists have %d", len(mask), len(x))
		}
	}
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) || mask != nil && !mask[i] {
			continue
		}
		if math.IsInf(x[i], 0) || math.IsInf(y[i], 0) {
			return nil, nil, cannot("element %d is infinite (never reached), but a fit needs finite numbers", i)
		}
		a, b = append(a, x[i]), append(b, y[i])
	}
	return a, b, nil
}
