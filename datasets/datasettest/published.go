package datasettest

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// quickBytes is the largest size of a published set for which Check loads the set again with each setting changed.
const quickBytes = 5_000_000

// checkMissing checks the error that Load returns if the files of the set do not exist.
func checkMissing(t testing.TB, e datasets.Entry) {
	_, err := e.New().Load(context.Background(), datasets.Source{Data: t.TempDir(), Offline: true})
	if !errors.Is(err, datasets.ErrMissing) {
		t.Errorf("%s: error of Load without files = %v, want an error that wraps ErrMissing", e.Name, err)
		return
	}
	if fetch := "gaplab data fetch " + e.Name; !strings.Contains(err.Error(), fetch) {
		t.Errorf("%s: error of a missing file = %v, want it to contain %q", e.Name, err, fetch)
	}
}

// checkPublished verifies the files of a published set and checks the loaded set. It skips the test if the files do not
// exist.
func checkPublished(t testing.TB, e datasets.Entry) {
	src := datasets.Source{Data: os.Getenv("GAPLAB_DATA"), Offline: true}
	if src.Data == "" || testing.Short() {
		t.Skip("published data sets are tested only if GAPLAB_DATA is set, and not with -short")
	}
	statuses, err := datasets.Verify(context.Background(), e, src)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, s := range statuses {
		size += s.File.Bytes
		if s.Status == datasets.Missing {
			t.Skipf("GAPLAB_DATA has no %s", s.File.Name)
		}
		if s.Status != datasets.OK {
			t.Errorf("%s is %s: %v", s.File.Name, s.Status, s.Err)
		}
	}
	set := checkKept(t, e, e.New(), src)
	if set == nil {
		return
	}
	checkIdentity(t, e, set)
	want := map[string]string{}
	for _, f := range e.Files {
		want[f.Name] = f.SHA256
	}
	if set.Synthetic || set.Name != e.Name || !maps.Equal(set.Files, want) {
		t.Errorf("%s: the set is called %q, synthetic: %v, with the files %v; want the name and files of the entry", e.Name,
			set.Name, set.Synthetic, slices.Sorted(maps.Keys(set.Files)))
	}
	if size > quickBytes {
		return
	}
	checkScaled(t, e.Name, e.New, src)
	for _, s := range settingsOf(e.New()) {
		if changed, other := loadOther(e.New, s, src); other != nil && other.Checksum == set.Checksum {
			t.Errorf("%s: the checksum does not change with %s, so results of %+v would have the key of the defaults",
				e.Name, s.key, changed)
		}
	}
}
