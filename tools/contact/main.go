// Contact puts pictures of figures on contact sheets: in colour, in grey, and as people with deuteranopia see them. On
// these sheets one sees which lines of a figure cannot be told apart. It reads PNG files:
//
//	for f in results/paper/*/*.svg; do
//	  rsvg-convert -w 620 -b white $f -o /tmp/png/$(echo ${f#results/paper/} | tr / +).png
//	done
//	go run ./tools/contact -out /tmp/sheets /tmp/png/*.png
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	out := flag.String("out", "sheets", "`folder` of the sheets")
	columns := flag.Int("columns", 4, "figures in a row")
	rows := flag.Int("rows", 3, "rows on a sheet")
	flag.Parse()
	if err := run(*out, *columns, *rows, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// run writes the sheets of the named files.
func run(out string, columns, rows int, files []string) error {
	if len(files) == 0 || columns < 1 || rows < 1 {
		return errors.New("want PNG files, and at least one column and one row")
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	number := 0
	for group := range slices.Chunk(files, columns*rows) {
		number++
		sheet, err := tile(group, columns)
		if err != nil {
			return err
		}
		for name, see := range map[string]func(color.RGBA) color.RGBA{"colour": nil, "grey": grey,
			"deuteranopia": deuteranopia} {
			file := filepath.Join(out, fmt.Sprintf("%s-%02d.png", name, number))
			if err := write(file, seen(sheet, see)); err != nil {
				return err
			}
		}
	}
	return nil
}

// tile draws pictures in rows, from left to right.
func tile(files []string, columns int) (*image.RGBA, error) {
	var pictures []image.Image
	var size image.Point // of the largest picture
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		p, err := png.Decode(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		pictures = append(pictures, p)
		size = image.Pt(max(size.X, p.Bounds().Dx()), max(size.Y, p.Bounds().Dy()))
	}
	sheet := image.NewRGBA(image.Rect(0, 0, columns*size.X, (len(files)+columns-1)/columns*size.Y))
	draw.Draw(sheet, sheet.Bounds(), image.White, image.Point{}, draw.Src)
	for i, p := range pictures {
		at := image.Pt(i%columns*size.X, i/columns*size.Y)
		draw.Draw(sheet, p.Bounds().Sub(p.Bounds().Min).Add(at), p, p.Bounds().Min, draw.Over)
	}
	return sheet, nil
}

// seen returns a picture with other colours; see may be nil, which changes none.
func seen(p *image.RGBA, see func(color.RGBA) color.RGBA) *image.RGBA {
	if see == nil {
		return p
	}
	out := image.NewRGBA(p.Bounds())
	known := map[color.RGBA]color.RGBA{}
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			c := p.RGBAAt(x, y)
			to, ok := known[c]
			if !ok {
				to = see(c)
				known[c] = to
			}
			out.SetRGBA(x, y, to)
		}
	}
	return out
}

// grey returns the grey of the same luminance.
func grey(c color.RGBA) color.RGBA {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	y := encoded(0.2126*r + 0.7152*g + 0.0722*b)
	return color.RGBA{y, y, y, 255}
}

// deuteranopia returns the colour that a person without green-sensitive cones sees, by the model of Viénot, Brettel and
// Mollon (1999). It writes linear RGB as signals of the three cones, replaces the signal of the missing cone, and turns
// the result back into RGB; these are the combined matrices.
func deuteranopia(c color.RGBA) color.RGBA {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	yellow := encoded(0.29275*r + 0.70725*g)
	return color.RGBA{yellow, yellow, encoded(-0.02234*r + 0.02234*g + b), 255}
}

// linear returns the linear value, from 0 to 1, of a component of sRGB.
func linear(v uint8) float64 {
	if x := float64(v) / 255; x > 0.04045 {
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return float64(v) / 255 / 12.92
}

// encoded returns the component of sRGB with a linear value.
func encoded(x float64) uint8 {
	x = min(max(x, 0), 1)
	if x > 0.0031308 {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	} else {
		x *= 12.92
	}
	return uint8(math.Round(255 * x))
}

// write writes a picture as PNG.
func write(path string, p image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, p), f.Close())
}
