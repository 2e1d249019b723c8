package plots

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// printDPI is the resolution of a PNG, in pixels per inch.
const printDPI = 300

const inch = 0.0254 // in metres

// writePNG writes the drawing as PNG. The chunks for the resolution (pHYs) and the texts (iTXt) come before the pixels.
func (d *Drawing) writePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(d.layout.width, d.layout.height), vgimg.UseDPI(printDPI))
	d.layout.draw(draw.New(c))
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&b); err != nil {
		return err
	}
	const head = 8 + 12 + 13 // length of the signature and the chunk IHDR
	image := b.Bytes()
	out := bytes.NewBuffer(bytes.Clone(image[:head]))
	resolution := binary.BigEndian.AppendUint32(nil, uint32(math.Round(printDPI/inch)))
	chunk(out, "pHYs", append(slices.Repeat(resolution, 2), 1)) // for x and y; the byte 1 means per metre
	for _, t := range []struct{ keyword, text string }{
		{"Title", d.title()}, {"Description", d.description()}, {"Source", d.provenance("\n")}, {"Software", "gaplab"}} {
		if t.text != "" { // the zeros mean: not compressed, no language tag
			chunk(out, "iTXt", append([]byte(t.keyword+"\x00\x00\x00\x00\x00"), t.text...))
		}
	}
	out.Write(image[head:])
	_, err := w.Write(out.Bytes())
	return err
}

// chunk writes one chunk of a PNG: length, type, data and checksum.
func chunk(b *bytes.Buffer, kind string, data []byte) {
	body := append([]byte(kind), data...)
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	b.Write(body)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}
