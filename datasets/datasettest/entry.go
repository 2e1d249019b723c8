package datasettest

import (
	"encoding/hex"
	"io/fs"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// checkEntry checks the fields of an entry except its files, and the default settings of its loader.
func checkEntry(t testing.TB, e datasets.Entry) {
	if !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(e.Name) {
		t.Errorf("the name is %q: want lower-case letters and digits, with single hyphens between them", e.Name)
	}
	for field, text := range map[string]string{"Title": e.Title, "About": e.About, "Licence": e.Licence} {
		if text == "" {
			t.Errorf("%s: %s is empty", e.Name, field)
		}
	}
	if e.Revision < 1 {
		t.Errorf("%s: Revision is %d: want 1 or more", e.Name, e.Revision)
	}
	kinds := 0
	for _, is := range []bool{e.Synthetic, e.Format, len(e.Files) > 0} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		t.Errorf("%s is of %d kinds: want exactly one of Synthetic, Format and Files to be set", e.Name, kinds)
	}
	if e.New == nil {
		t.Errorf("%s: New is nil", e.Name)
		return
	}
	l := e.New()
	if v := reflect.ValueOf(l); v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		t.Errorf("%s: New returns a %T: want a pointer to a struct, into which settings are decoded", e.Name, l)
		return
	}
	if reflect.TypeOf(l).Elem().Size() > 0 && l == e.New() {
		t.Errorf("%s: New returns the same loader twice: the settings of one experiment would change the next", e.Name)
	}
	v, ok := l.(datasets.Validator)
	if !ok {
		t.Errorf("%s: the loader has no Validate", e.Name)
		return
	}
	if err := v.Validate(); err != nil && !e.Format {
		t.Errorf("%s: the default settings are refused: %v", e.Name, err)
	}
}

// checkFiles checks the list of files of an entry: names below a folder, addresses, and plausible checksums.
func checkFiles(t testing.TB, e datasets.Entry) {
	names := map[string]bool{}
	for _, f := range e.Files {
		if !fs.ValidPath(f.Name) || path.Dir(f.Name) == "." {
			t.Errorf("%s: the file name %q is not a slash-separated path with a folder", e.Name, f.Name)
		}
		if names[f.Name] {
			t.Errorf("%s: two files are called %s", e.Name, f.Name)
		}
		names[f.Name] = true
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 {
			t.Errorf("%s: %s: %q is no SHA-256 in hexadecimal digits", e.Name, f.Name, f.SHA256)
		}
		if f.Bytes <= 0 {
			t.Errorf("%s: %s: its size is %d bytes: want more than 0", e.Name, f.Name, f.Bytes)
		}
		if len(f.URLs) == 0 {
			t.Errorf("%s: %s: there is no URL: want at least one", e.Name, f.Name)
		}
		if _, err := path.Match(f.Member, ""); err != nil {
			t.Errorf("%s: %s: the pattern Member is %q: %v", e.Name, f.Name, f.Member, err)
		}
		for _, address := range f.URLs {
			u, err := url.Parse(address)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				t.Errorf("%s: %s: %q is not an http or https URL", e.Name, f.Name, address)
			}
			if (f.Member == "") == (path.Ext(address) == ".zip") {
				t.Errorf("%s: %s: member %q of %s: set Member exactly if the URLs end in .zip", e.Name, f.Name, f.Member,
					address)
			}
		}
	}
}
