package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Line is a least-squares line through N points. Low and High are the ends of the 95 % confidence interval of the slope
// (Student's t, N − 2 degrees of freedom). Both are infinite for N = 2.
type Line struct {
	Slope, Intercept, R2 float64
	N                    int
	Low, High            float64
}

// FitLine returns the least-squares line of y on x. It needs two points with different x.
func FitLine(y, x []float64) (Line, error) {
	n := len(x)
	if n < 2 {
		return Line{}, fmt.Errorf("a line needs two points, but there is only %d", n)
	}
	mx, my := Mean(x), Mean(y)
	var sxx, sxy, syy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxx += dx * dx
		sxy += dx * dy
		syy += dy * dy
	}
	if sxx == 0 {
		return Line{}, errors.New("a line needs two different x, but all are equal")
	}
	l := Line{Slope: sxy / sxx, N: n, R2: 1}
	l.Intercept = my - l.Slope*mx
	if syy > 0 {
		l.R2 = sxy * sxy / (sxx * syy)
	}
	half := math.Inf(1)
	if n > 2 {
		free := float64(n - 2)
		residual := math.Max(0, syy-l.Slope*sxy)
		half = math.Sqrt(residual/free/sxx) * distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(0.975)
	}
	l.Low, l.High = l.Slope-half, l.Slope+half
	return l, nil
}
