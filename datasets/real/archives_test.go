package real

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// TestConnect4OfCompress checks that the .Z file that UCI distributes has the checksum in the catalogue after
// decompression.
func TestConnect4OfCompress(t *testing.T) {
	data := realSource(t, "connect-4")
	var content []byte
	err := data.Read(context.Background(), "connect-4", connect4Files()[0], func(_ string, r io.Reader) (err error) {
		content, err = io.ReadAll(r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	src := datasets.Source{Data: t.TempDir(), Offline: true}
	storetest.Write(t, src.Data, "connect4/connect-4.data.Z", storetest.LZW{Width: 16}.Pack(string(content)))
	settings := Connect4{Train: 10, SplitSeed: 1}
	set, err := settings.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if want := loadReal(t, "connect-4", settings); set.Checksum != want.Checksum {
		t.Errorf("checksum = %s, want %s as for the copy in another compression format", set.Checksum, want.Checksum)
	}
}

// TestRealArchive checks that the file in the catalogue can be extracted from the published archive of the treebank.
func TestRealArchive(t *testing.T) {
	data := realSource(t, "ptb-sample").Data
	packed, err := os.ReadFile(filepath.Join(data, "ptb-sample", "treebank.zip"))
	if err != nil {
		t.Skipf("GAPLAB_DATA has no archive of the treebank: %v", err)
	}
	e := entry(t, "ptb-sample")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(packed))
	}))
	defer server.Close()
	e.Files[0].URLs = []string{server.URL + "/treebank.zip"}
	src := datasets.Source{Cache: t.TempDir()}
	if err := datasets.Fetch(context.Background(), e, src, ""); err != nil {
		t.Fatal(err)
	}
	src.Offline = true
	set, err := e.New().Load(context.Background(), src)
	if err != nil || set.Train.Len() != e.Expect.Train {
		t.Errorf("error of loading the fetched treebank = %v, want nil and all trees", err)
	}

	from := t.TempDir()
	storetest.Write(t, from, "treebank.zip", string(packed))
	if err := datasets.Fetch(context.Background(), e, datasets.Source{Cache: t.TempDir()}, from); err != nil {
		t.Error(err)
	}
}

// TestSpanishArchive checks that the files in the catalogue can be extracted from an archive that has the same folders
// as the archive of NLTK.
func TestSpanishArchive(t *testing.T) {
	data := realSource(t, "cast3lb")
	e := entry(t, "cast3lb")
	members := []storetest.Member{{Name: "conll2007/", Content: ""},
		{Name: "conll2007/README", Content: "Basque and Catalan too"}}
	for _, f := range e.Files {
		err := data.Read(context.Background(), e.Name, f, func(_ string, r io.Reader) error {
			content, err := io.ReadAll(r)
			members = append(members,
				storetest.Member{Name: "conll2007/" + strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)),
					Content: string(content)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	from, src := t.TempDir(), datasets.Source{Cache: t.TempDir(), Offline: true}
	storetest.Write(t, from, "conll2007.zip", storetest.Zip(t, members...))
	if err := datasets.Fetch(context.Background(), e, src, from); err != nil {
		t.Fatal(err)
	}
	for _, s := range datasets.Locate(e, src) {
		if s.Status != datasets.Found || s.Path != filepath.Join(src.Cache, "spanish-cast3lb", path.Base(s.Path)) {
			t.Errorf("%s: status %s at %s, want found in the folder of the cache", s.File.Name, s.Status, s.Path)
		}
	}
}
