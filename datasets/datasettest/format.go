package datasettest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// Sample is a small file in a format, on which Check tests the loader of the format.
type Sample struct {
	Text   string                     // content of the file: two or more lines and examples, as Write writes them
	Set    func(datasets.Loader)      // sets the settings that the loader needs in addition to path; nil: no such settings
	Train  int                        // number of training examples
	Write  func(datasets.Data) string // returns data as text in the format
	Faults map[string]int             // damaged texts, each with the line that the error must name, from 1
}

// checkFormat tests a format on its samples.
func checkFormat(t testing.TB, e datasets.Entry, samples []Sample) {
	if len(samples) == 0 {
		t.Errorf("%s: a format needs a sample", e.Name)
	}
	for _, s := range samples {
		dir := t.TempDir()
		loader := func(name string) datasets.Loader {
			l := e.New()
			if s.Set != nil {
				s.Set(l)
			}
			path := settingNamed(settingsOf(l), "path")
			if path == nil {
				t.Errorf("%s: no setting is called path", e.Name)
				return l
			}
			reflect.ValueOf(l).Elem().Field(path.field).SetString(name)
			return l
		}
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		src := datasets.Source{Dir: dir, Offline: true}
		write("sample", s.Text)
		checkSettings(t, func() datasets.Loader { return loader("sample") })
		checkScaled(t, e.Name, func() datasets.Loader { return loader("sample") }, src)
		set := checkKept(t, e, loader("sample"), src)
		if set == nil {
			return
		}
		if set.Train.Len() != s.Train || set.Synthetic || len(set.Checksum) != 64 {
			t.Errorf("%s: %d training examples, synthetic: %v, checksum %q; want %d, false, 64 digits", e.Name,
				set.Train.Len(), set.Synthetic, set.Checksum, s.Train)
		}
		write("again", s.Write(set.Train))
		if again := load(t, loader("again"), src); again == nil || Bits(again) != Bits(set) {
			t.Errorf("%s: the data differ after they were written and read again:\n%s", e.Name, s.Write(set.Train))
		}
		src.Parsed = datasets.Parsed{Folder: t.TempDir(), Limit: 1 << 40}
		for _, text := range []string{s.Write(set.Train), s.Text[:strings.LastIndex(strings.TrimSpace(s.Text), "\n")+1]} {
			write("changing", text)
			want, wantErr := loader("changing").Load(context.Background(), datasets.Source{Dir: dir})
			got, err := src.Load(context.Background(), loader("changing"), e.Name)
			if (err == nil) != (wantErr == nil) || err == nil && (Bits(got) != Bits(want) || !sameFacts(got, want)) {
				t.Errorf("%s: after a file has changed, Load still returns the data of its old content", e.Name)
			}
		}
		src.Parsed = datasets.Parsed{}
		write("packed", packed(s.Text))
		if other := load(t, loader("packed"), src); other == nil || other.Checksum != set.Checksum ||
			Bits(other) != Bits(set) {
			t.Errorf("%s: a copy that is compressed by gzip gives different data or a different checksum", e.Name)
		}
		if _, err := loader("absent").Load(context.Background(), src); !errors.Is(err, datasets.ErrMissing) ||
			!strings.Contains(err.Error(), "absent") {
			t.Errorf("%s: error of a missing file = %v, want ErrMissing with the path", e.Name, err)
		}
		for text, line := range s.Faults {
			write("damaged", text)
			at := filepath.Join(dir, "damaged") + ":" + strconv.Itoa(line) + ":"
			if _, err := loader("damaged").Load(context.Background(), src); err == nil || !strings.Contains(err.Error(), at) {
				t.Errorf("%s: error of the damaged text %q = %v, want an error at %s", e.Name, text, err, at)
			}
		}
		for i := range len(s.Text) { // the damaged texts are cut off at byte i, or have a zero byte there
			for _, text := range []string{s.Text[:i], s.Text[:i] + "\x00" + s.Text[i+1:]} {
				write("damaged", text)
				_, err := loader("damaged").Load(context.Background(), src)
				if err != nil && !strings.Contains(err.Error(), "damaged") && !errors.As(err, new(*datasets.SettingError)) {
					t.Errorf("%s: the damaged text %q: the error does not name the file: %v", e.Name, text, err)
				}
			}
		}
	}
}

// packed returns a text in gzip format.
func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}
