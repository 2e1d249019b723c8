package axis

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// LinearTicks places ticks at the multiples of a step, which is 1, 2, 2.5 or 5 times a power of ten. There are at most
// Max ticks, unless there would be fewer than two: then the step is smaller. If Whole is true, all ticks are integers.
type LinearTicks struct {
	Max   int
	Whole bool
}

var _ plot.Ticker = LinearTicks{}

// Ticks returns the ticks between min and max.
func (t LinearTicks) Ticks(min, max float64) []plot.Tick {
	mantissa, exponent := tickStep(max-min, t.Max)
	for n := t.Max + 1; n < 2*t.Max && multiples(min, max, scaled(mantissa, exponent)) < 2; n++ {
		mantissa, exponent = tickStep(max-min, n)
	}
	if mantissa == 0 {
		return []plot.Tick{{Value: min, Label: number(min)}}
	}
	if t.Whole && exponent < 0 {
		mantissa, exponent = 1, 0
	}
	step := scaled(mantissa, exponent)
	format := tickFormat(math.Max(math.Abs(min), math.Abs(max)), mantissa, exponent)
	var ticks []plot.Tick
	first := math.Ceil(min/step - 1e-6)
	for i := 0.0; i <= 4*float64(t.Max); i++ {
		v := (first + i) * step
		if v > max+1e-6*step {
			break
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: format(v)})
	}
	return ticks
}

// multiples returns the number of multiples of step between min and max.
func multiples(min, max, step float64) int {
	return int(math.Floor(max/step+1e-6)-math.Ceil(min/step-1e-6)) + 1
}

// tickStep returns the smallest step, mantissa times 10^exponent, such that at most n steps fit into span. The mantissa
// is 0 if span is too small to be divided.
func tickStep(span float64, n int) (mantissa float64, exponent int) {
	if !(span > Smallest) {
		return 0, 0
	}
	raw := span / float64(n)
	exponent = int(math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m == 2.5 && exponent < 1 {
			continue // skip steps such as 0.25, whose labels need one digit more than those of 0.2
		}
		if scaled(m, exponent) >= raw*(1-1e-9) {
			return m, exponent
		}
	}
	return 1, exponent + 1
}

// tickFormat returns the common format of all ticks of an axis. The format has as many decimals as the step needs. If
// the numbers would be long, the format has a power of ten.
func tickFormat(largest, mantissa float64, exponent int) func(float64) string {
	if mantissa == 2.5 {
		exponent--
	}
	if largest < 1e6 && exponent >= -5 {
		return func(v float64) string { return decimal(v, max(0, -exponent)) }
	}
	power := int(math.Floor(math.Log10(largest)))
	return func(v float64) string {
		m := decimal(v/math.Pow10(power), max(0, power-exponent))
		if strings.Trim(m, "0."+typeset.Minus) == "" {
			return "0"
		}
		return m + "×10^{" + strconv.Itoa(power) + "}"
	}
}

// LogTicks places ticks at powers of ten, at most Max of them with a label, and minor ticks at their multiples. On an
// axis with fewer than three powers of ten, it labels 1, 2 and 5 times a power. On a very short axis it uses
// LinearTicks.
type LogTicks struct {
	Max  int
	Room func(label string) float64 // fraction of the axis that a label needs; nil if labels cannot overlap
}

var _ plot.Ticker = LogTicks{}

// Ticks returns the ticks between min and max.
func (t LogTicks) Ticks(min, max float64) []plot.Tick {
	if !(min > 0 && max > min) {
		return nil
	}
	low, high := int(math.Floor(math.Log10(min)))-1, int(math.Ceil(math.Log10(max)))+1
	var powers, steps []plot.Tick // ticks with labels: at powers of ten; at 1, 2 and 5 times powers of ten
	var minor []plot.Tick
	inside := int(math.Floor(math.Log10(max)+1e-9) - math.Ceil(math.Log10(min)-1e-9) + 1)
	stride := 1
	for (inside+stride-1)/stride > t.Max {
		stride++
	}
	for e := low; e <= high; e++ {
		for m := 1; m <= 9; m++ {
			v := scaled(float64(m), e)
			if v < min*(1-1e-9) || v > max*(1+1e-9) || v <= 0 {
				continue
			}
			minor = append(minor, plot.Tick{Value: v})
			if m == 1 && e%stride == 0 {
				powers = append(powers, plot.Tick{Value: v, Label: "10^{" + strconv.Itoa(e) + "}"})
			}
			if m == 1 || m == 2 || m == 5 {
				steps = append(steps, plot.Tick{Value: v})
			}
		}
	}
	switch {
	case inside >= 3 && len(powers) >= 2 && high-low > 14:
		return append(powers, onlyPowers(minor)...)
	case inside >= 3 && len(powers) >= 2:
		return append(powers, minor...)
	case len(steps) >= 3:
		write := number
		if !short(steps[0].Value) || !short(steps[len(steps)-1].Value) { // write all labels of the axis in the same style
			write = scientific
		}
		for i := range steps {
			steps[i].Label = write(steps[i].Value)
		}
		return append(t.apart(steps, min, max), minor...)
	}
	return LinearTicks{Max: t.Max}.Ticks(min, max)
}

// apart removes ticks at 2 and 5 times a power of ten whose labels would overlap another label.
func (t LogTicks) apart(steps []plot.Tick, min, max float64) []plot.Tick {
	if t.Room == nil {
		return steps
	}
	var kept []plot.Tick
	for _, first := range []byte("125") {
		for _, s := range steps {
			at, room := LogScale{}.Normalize(min, max, s.Value), t.Room(s.Label)
			if strings.TrimLeft(s.Label, "0.")[0] == first && !slices.ContainsFunc(kept, func(k plot.Tick) bool {
				return math.Abs(LogScale{}.Normalize(min, max, k.Value)-at) < (t.Room(k.Label)+room)/2
			}) {
				kept = append(kept, s)
			}
		}
	}
	slices.SortFunc(kept, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
	return kept
}

// onlyPowers returns the ticks at powers of ten.
func onlyPowers(ticks []plot.Tick) []plot.Tick {
	var kept []plot.Tick
	for _, t := range ticks {
		if e := math.Round(math.Log10(t.Value)); scaled(1, int(e)) == t.Value {
			kept = append(kept, t)
		}
	}
	return kept
}

// scaled returns m·10^e. If e < 0, it divides by 10^-e, so that scaled(3, −1) is 0.3; 3·0.1 would be
// 0.30000000000000004.
func scaled(m float64, e int) float64 {
	if e < 0 && e > -300 {
		return m / math.Pow10(-e)
	}
	return m * math.Pow10(e)
}

// decimal formats v with the given number of decimals and a typographic minus sign.
func decimal(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.ReplaceAll(s, "-", typeset.Minus)
}

// number formats v with as few digits as necessary, and with a power of ten if it would be long.
func number(v float64) string {
	if v == 0 || short(v) {
		return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 6, 64), "-", typeset.Minus)
	}
	return scientific(v)
}

// short reports whether v is written without a power of ten.
func short(v float64) bool { return math.Abs(v) >= 1e-3 && math.Abs(v) < 1e5 }

// scientific formats v as a mantissa times a power of ten.
func scientific(v float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	power := "10^{" + strconv.Itoa(e) + "}"
	if mantissa == "1" {
		return power
	}
	return strings.ReplaceAll(mantissa, "-", typeset.Minus) + "×" + power
}
