package formats

import (
	"testing"

	"gopkg.in/yaml.v3"
)

// TestHeld checks that the key "validation" is a fraction if it is a number, and the path of a file otherwise, and that
// settings that were written and read again mean the same. A list or a map is an error.
func TestHeld(t *testing.T) {
	for text, want := range map[string]struct {
		file     string
		fraction float64
	}{
		"0.2": {"", 0.2}, `"0.2"`: {"", 0.2}, "1e-1": {"", 0.1}, "dev.txt": {"dev.txt", 0}, "./0.2": {"./0.2", 0},
		"nan": {"nan", 0}, "inf": {"inf", 0}, "-Inf": {"-Inf", 0}, "1e999": {"1e999", 0},
		"0": {"", 0}, "0.0": {"", 0}, `""`: {"", 0}, "null": {"", 0},
	} {
		l := LIBSVM{Path: "f"}
		if err := yaml.Unmarshal([]byte("validation: "+text), &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again := LIBSVM{Path: "f"}
		if written, err := yaml.Marshal(l); err != nil || yaml.Unmarshal(written, &again) != nil || again != l {
			t.Errorf("%s: read again as %+v (error %v), want %+v", text, again, err, l)
		}
		if l.Validation.file() != want.file || l.Validation.fraction() != want.fraction {
			t.Errorf("%s: file %q, fraction %v; want %q, %v", text, l.Validation.file(), l.Validation.fraction(), want.file,
				want.fraction)
		}
		if want == (struct {
			file     string
			fraction float64
		}{}) && l.Validation != "" {
			t.Errorf("%s: %q, want the default, so that the key of the run is that of a spec without validation", text,
				l.Validation)
		}
	}
	for _, text := range []string{"[a]", "{a: 1}", "[]", "{}"} {
		if err := yaml.Unmarshal([]byte("validation: "+text), &LIBSVM{}); err == nil {
			t.Errorf("validation: %s is accepted, want an error", text)
		}
	}
}
