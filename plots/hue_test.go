package plots

import (
	"image/color"
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestHuesDiffer checks that any two hues look different for people with full colour vision, with deuteranopia and with
// protanopia (two kinds of red-green colour blindness), and in grey.
func TestHuesDiffer(t *testing.T) {
	// The matrices are for severity 1, on linear RGB, from Machado, Oliveira and Fernandes, A Physiologically-based Model
	// for Simulation of Color Vision Deficiency, IEEE TVCG 15(6), 2009.
	visions := map[string][3]rgb{
		"full vision":  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	}
	for i := range figure.Hues {
		for k := range i {
			a, b := linear(hue(i)), linear(hue(k))
			for name, m := range visions {
				if d := ciede2000(a.seen(m).lab(), b.seen(m).lab()); d < 17 {
					t.Errorf("%s: hues %d and %d differ by %.1f, want at least 17", name, k, i, d)
				}
			}
			if d := math.Abs(a.lab()[0] - b.lab()[0]); d < 8 {
				t.Errorf("grey: hues %d and %d differ by %.1f, want at least 8", k, i, d)
			}
		}
	}
	red, green := linear(color.NRGBA{R: 0xE0}), linear(color.NRGBA{R: 0x60, G: 0x70}) // look similar with deuteranopia
	if d := ciede2000(red.seen(visions["deuteranopia"]).lab(), green.seen(visions["deuteranopia"]).lab()); d > 17 {
		t.Errorf("red and green differ by %.1f with deuteranopia, want at most 17; the simulation is wrong", d)
	}
}

// TestCIEDE2000 checks the pairs 1, 7, 16 and 25 in table 1 of Sharma, Wu and Dalal, The CIEDE2000 Color-Difference
// Formula, Color Research and Application 30(1), 2005.
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		a, b [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, 0, 0}, [3]float64{50, -1, 2}, 2.3669},
		{[3]float64{50, 2.5, 0}, [3]float64{50, 0, -2.5}, 4.3065},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, 1.2644},
	} {
		if got := ciede2000(c.a, c.b); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("ciede2000(%v, %v) = %.4f, want %.4f", c.a, c.b, got, c.want)
		}
	}
}

// rgb is a colour in linear RGB. Each component is from 0 to 1.
type rgb [3]float64

// linear converts an sRGB colour to linear RGB.
func linear(c color.NRGBA) (out rgb) {
	for i, v := range []uint8{c.R, c.G, c.B} {
		if s := float64(v) / 255; s <= 0.04045 {
			out[i] = s / 12.92
		} else {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

// seen returns the colour as it appears to a person whose colour vision is described by the matrix m.
func (c rgb) seen(m [3]rgb) (out rgb) {
	for i, row := range m {
		out[i] = math.Max(0, math.Min(1, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return out
}

// lab returns the colour in CIELAB, with the white point D65.
func (c rgb) lab() [3]float64 {
	f := func(x, y, z, white float64) float64 {
		if t := (x*c[0] + y*c[1] + z*c[2]) / white; t > 216.0/24389 {
			return math.Cbrt(t)
		} else {
			return (24389.0/27*t + 16) / 116
		}
	}
	x, y := f(0.4124, 0.3576, 0.1805, 0.95047), f(0.2126, 0.7152, 0.0722, 1)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - f(0.0193, 0.1192, 0.9505, 1.08883))}
}

// ciede2000 returns the CIEDE2000 difference of two colours in CIELAB.
func ciede2000(p, q [3]float64) float64 {
	rad := math.Pi / 180
	seventh := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 1.5 - 0.5*seventh((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2)
	c1, c2 := math.Hypot(g*p[1], p[2]), math.Hypot(g*q[1], q[2])
	h1, h2 := math.Atan2(p[2], g*p[1])/rad, math.Atan2(q[2], g*q[1])/rad
	h1, h2 = math.Mod(h1+360, 360), math.Mod(h2+360, 360)
	dh, h := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, h = 0, h1+h2
	case math.Abs(dh) > 180:
		dh -= math.Copysign(360, dh)
		h = math.Mod(h+180, 360)
	}
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	cos := func(a float64) float64 { return math.Cos(a * rad) }
	tone := 1 - 0.17*cos(h-30) + 0.24*cos(2*h) + 0.32*cos(3*h+6) - 0.20*cos(4*h-63)
	dl := (q[0] - p[0]) / (1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50)))
	dc := (c2 - c1) / (1 + 0.045*c)
	dt := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*rad) / (1 + 0.015*c*tone)
	turn := -2 * seventh(c) * math.Sin(60*rad*math.Exp(-math.Pow((h-275)/25, 2)))
	return math.Sqrt(dl*dl + dc*dc + dt*dt + turn*dc*dt)
}
