package plots

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/internal/replace"
)

// Formats returns the formats that Encode accepts.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// Encode writes the drawing as svg, png (300 pixels per inch) or pdf.
func (d *Drawing) Encode(w io.Writer, format string) error {
	var err error
	switch format {
	case "svg":
		_, err = io.WriteString(w, xmlDeclaration+d.SVG())
	case "png":
		err = d.writePNG(w)
	case "pdf":
		err = d.writePDF(w)
	default:
		return fmt.Errorf("plots: format %q is not one of %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("plots: writing %s: %w", format, err)
	}
	return nil
}

// Save writes the drawing to a file. The extension of the path determines the format. After an error there is no
// partial file.
func (d *Drawing) Save(path string) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	var b bytes.Buffer
	if err := d.Encode(&b, format); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := replace.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("plots: saving the figure: %w", err)
	}
	return nil
}
