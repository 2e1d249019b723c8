package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

func TestOffline(t *testing.T) {
	url, requests := server(t, whole(toyContent, toyDate))
	_, err := toyLoad(toy(url), Source{Data: "/no/data", Cache: "/no/cache", Offline: true})
	var missing *MissingError
	if !errors.As(err, &missing) || requests.Load() != 0 {
		t.Fatalf("error = %v after %d requests, want a MissingError without a request", err, requests.Load())
	}
	for _, want := range []string{"toy: toy/rows.gz not found", "GAPLAB_DATA (/no/data)", "the cache (/no/cache)",
		"downloads are off", "gaplab data fetch toy"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want it to contain %q", err, want)
		}
	}
	if _, err := toyLoad(toy(url), Source{}); !errors.Is(err, ErrMissing) ||
		!strings.Contains(err.Error(), "GAPLAB_DATA (not set), no cache") {
		t.Errorf("error without folders = %v, want ErrMissing that reports that both folders are not set", err)
	}
}

// TestCorruptContentOutranksItsParser checks that if the content of a file has the wrong checksum, the error reports
// this and not the error of the parser.
func TestCorruptContentOutranksItsParser(t *testing.T) {
	src := Source{Data: t.TempDir(), Offline: true}
	storetest.Write(t, src.Data, "toy/rows", "1 1:x\n")
	e := toy()
	err := src.Read(context.Background(), e.Name, e.Files[0], func(path string, r io.Reader) error {
		return fmt.Errorf("%s: no rows", path)
	})
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "replace or remove that copy in GAPLAB_DATA") {
		t.Errorf("error = %v, want ErrCorrupt with a remedy", err)
	}
}
