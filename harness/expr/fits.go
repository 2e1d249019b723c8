package expr

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// fitFunctions relate two lists of numbers, element by element. Pairs with a missing element are left out.
func fitFunctions() []function {
	return []function{
		{
			FuncDoc: FuncDoc{"fit", "fit(y, x, mask?)", "the least-squares line of y on x, where the mask is true: its " +
				"fields are slope, intercept, r2, n, and low and high, the 95 % confidence interval of the slope",
				`all(series, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)`},
			least: 2, most: 3, call: fit,
		},
		{
			FuncDoc: FuncDoc{"slope", "slope(y, x)",
				"the slope of the least-squares line of log y on log x: the power with which y grows in x",
				`slope(map(series, T(#, 1)), map(series, 1 / .C)) <= 1.1`},
			least: 2, most: 2, call: powerSlope,
		},
		{
			FuncDoc: FuncDoc{"powerfit", "powerfit(y, x, mask?)", "the least-squares line of log y on log x, where the mask " +
				"is true: its fields are slope, the power with which y grows in x; low and high, the 95 % confidence interval " +
				"of the slope; r2; and n", `powerfit([2, 4, 8.5], [1, 2, 4]).low >= 0.5`},
			least: 2, most: 3, call: powerFit,
		},
		{
			FuncDoc: FuncDoc{"spearman", "spearman(x, y)", "the rank correlation; ties have their mean rank",
				`spearman(map(series, -.C), map(series, final(#, "stage_passes"))) >= 0.95`},
			least: 2, most: 2, call: rankCorrelation,
		},
	}
}

func fit(_ *Evaluation, args []any) (any, error) {
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
		values: []any{l.slope, l.intercept, l.r2, float64(l.n), l.low, l.high},
	}, nil
}

func powerSlope(_ *Evaluation, args []any) (any, error) {
	l, err := powerLaw(args)
	if err != nil {
		return nil, err
	}
	return l.slope, nil
}

func powerFit(_ *Evaluation, args []any) (any, error) {
	l, err := powerLaw(args)
	if err != nil {
		return nil, err
	}
	return fields{
		names:  []string{"slope", "low", "high", "r2", "n"},
		values: []any{l.slope, l.low, l.high, l.r2, float64(l.n)},
	}, nil
}

// powerLaw fits log y = intercept + slope log x.
func powerLaw(args []any) (line, error) {
	y, x, err := pairs(args)
	if err != nil {
		return line{}, err
	}
	for _, list := range [][]float64{y, x} {
		for i, v := range list {
			if v <= 0 {
				return line{}, cannot("element %d is %g: a power law needs positive numbers", i, v)
			}
			list[i] = math.Log(v)
		}
	}
	return fitLine(y, x)
}

func rankCorrelation(_ *Evaluation, args []any) (any, error) {
	x, y, err := pairs(args)
	if err != nil {
		return nil, err
	}
	r := correlation(ranks(x), ranks(y))
	if math.IsNaN(r) {
		return nil, cannot("a rank correlation needs two different values in each list")
	}
	return r, nil
}

// pairs copies two lists, without pairs that have a NaN or are masked out.
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
		return nil, nil, fmt.Errorf("lists of %d and %d elements", len(x), len(y))
	}
	var mask []bool
	if len(args) > 2 {
		if mask, err = booleans(args[2]); err != nil {
			return nil, nil, err
		}
		if len(mask) != len(x) {
			return nil, nil, fmt.Errorf("a mask of %d elements for lists of %d", len(mask), len(x))
		}
	}
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) || mask != nil && !mask[i] {
			continue
		}
		if math.IsInf(x[i], 0) || math.IsInf(y[i], 0) {
			return nil, nil, cannot("element %d is infinite: a value that is never reached has no place in a fit", i)
		}
		a, b = append(a, x[i]), append(b, y[i])
	}
	return a, b, nil
}

// line is a least-squares line; low and high bound its slope with 95 % confidence (Student's t, n − 2 degrees of
// freedom), and are infinite for two points.
type line struct {
	slope, intercept, r2 float64
	n                    int
	low, high            float64
}

func fitLine(y, x []float64) (line, error) {
	n := len(x)
	if n < 2 {
		return line{}, cannot("a line needs two points, there are %d", n)
	}
	mx, my := mean(x), mean(y)
	var sxx, sxy, syy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxx += dx * dx
		sxy += dx * dy
		syy += dy * dy
	}
	if sxx == 0 {
		return line{}, cannot("a line needs two different x, there is one")
	}
	l := line{slope: sxy / sxx, n: n, r2: 1}
	l.intercept = my - l.slope*mx
	if syy > 0 {
		l.r2 = sxy * sxy / (sxx * syy)
	}
	half := math.Inf(1)
	if n > 2 {
		free := float64(n - 2)
		residual := math.Max(0, syy-l.slope*sxy)
		half = math.Sqrt(residual/free/sxx) * distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(0.975)
	}
	l.low, l.high = l.slope-half, l.slope+half
	return l, nil
}
