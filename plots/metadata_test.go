package plots

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"hash/crc32"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
)

// gapSource is the description of the spec, commit and runs of gapFigure, as it is written in files.
const gapSource = "spec sha256 0123456789abcdef\nscale smoke\ncommit 0123abc\nruns 0a1b2c3d 4e5f6a7b"

// TestSVGMetadata checks the title, the description and the Dublin Core elements of an SVG.
func TestSVGMetadata(t *testing.T) {
	var svg struct {
		Role     string `xml:"role,attr"`
		Title    string `xml:"title"`
		Desc     string `xml:"desc"`
		Metadata struct {
			Description struct {
				Title      string `xml:"http://purl.org/dc/elements/1.1/ title"`
				Identifier string `xml:"http://purl.org/dc/elements/1.1/ identifier"`
				Source     string `xml:"http://purl.org/dc/elements/1.1/ source"`
			} `xml:"http://www.w3.org/1999/02/22-rdf-syntax-ns# RDF>Description"`
		} `xml:"metadata"`
	}
	f := gapFigure(50)
	if err := xml.Unmarshal([]byte(mustDraw(t, f).SVG()), &svg); err != nil {
		t.Fatal(err)
	}
	own := svg.Metadata.Description
	got := []string{svg.Role, svg.Title, svg.Desc, own.Title, own.Identifier, own.Source}
	if diff := cmp.Diff([]string{"img", f.Title, f.Description(), f.Title, f.ID, gapSource}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPNGMetadata checks the resolution, the texts and the checksums in a PNG.
func TestPNGMetadata(t *testing.T) {
	f := gapFigure(50)
	texts := map[string]string{}
	var perMetre uint32
	pixels := false
	for rest := encoded(t, f, "png")[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		body, sum := rest[4:8+n], binary.BigEndian.Uint32(rest[8+n:])
		if crc32.ChecksumIEEE(body) != sum {
			t.Errorf("chunk %q has a wrong checksum", body[:4])
		}
		switch kind, data := string(body[:4]), body[4:]; kind {
		case "pHYs":
			perMetre = binary.BigEndian.Uint32(data)
			if len(data) != 9 || perMetre != binary.BigEndian.Uint32(data[4:]) || data[8] != 1 || pixels {
				t.Errorf("chunk pHYs = % x, want the same resolution twice, per metre, before the pixels", data)
			}
		case "iTXt":
			keyword, text, _ := strings.Cut(string(data), "\x00\x00\x00\x00\x00")
			texts[keyword] = text
		case "IDAT":
			pixels = true
		}
		rest = rest[12+n:]
	}
	if perMetre != 11811 { // 300 pixels per inch
		t.Errorf("resolution = %d pixels per metre, want 11811", perMetre)
	}
	want := map[string]string{"Title": f.Title, "Description": f.Description(), "Source": gapSource, "Software": "gaplab"}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
}

// TestPDF checks that a PDF contains its texts as text, also Greek letters and the minus sign. It must not contain a
// date, because its bytes would depend on it.
func TestPDF(t *testing.T) {
	f := gapFigure(50)
	f.Panels[0].Title = "η → ∞"
	first := encoded(t, f, "pdf")
	if !bytes.Equal(first, encoded(t, f, "pdf")) {
		t.Error("the second PDF differs from the first one")
	}
	if regexp.MustCompile(`Date|D:20`).Match(first) {
		t.Error("the PDF contains a date")
	}
	all := string(first)
	for _, stream := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(first, -1) {
		if r, err := zlib.NewReader(bytes.NewReader(stream[1])); err == nil {
			text, _ := io.ReadAll(r)
			all += string(text)
		}
	}
	for _, want := range []string{"effective passes", "C = 1000", "−2", "η → ∞", f.Title, caption} {
		var wide []byte
		for _, u := range utf16.Encode([]rune(want)) {
			wide = binary.BigEndian.AppendUint16(wide, u)
		}
		escaped := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\r", `\r`).Replace(string(wide))
		if !strings.Contains(all, escaped) {
			t.Errorf("the PDF does not contain the text %q", want)
		}
	}
	if !strings.Contains(all, "/ToUnicode") {
		t.Error("the fonts in the PDF do not map their glyphs to letters (ToUnicode)")
	}
}

// encoded draws a figure and returns it in a format.
func encoded(t *testing.T, f figure.Figure, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := mustDraw(t, f).Encode(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
