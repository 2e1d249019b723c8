package store

import (
	"archive/zip"
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// FuzzZip checks that no archive causes a panic, and that unpacking stops at the given size.
func FuzzZip(f *testing.F) {
	for _, members := range [][]storetest.Member{{{Name: "a/part_1", Content: "one"}, {Name: "a/part_2", Content: "two"}},
		{{Name: "a/", Content: ""}, {Name: "a/part_1", Content: strings.Repeat("x", 5000)}}} {
		f.Add([]byte(storetest.Zip(f, members...)), "a/part_*", 6)
	}
	f.Fuzz(func(t *testing.T, archive []byte, pattern string, size int) {
		z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return
		}
		members, err := Members(z, pattern)
		if err != nil {
			return
		}
		for i, m := range members {
			if strings.HasSuffix(m.Name, "/") || i > 0 && m.Name < members[i-1].Name {
				t.Fatalf("member %d has the name %q, want files only, sorted by name", i, m.Name)
			}
		}
		var out bytes.Buffer
		size = max(0, min(size, 1<<20))
		err = CopyMembers(context.Background(), &out, members, int64(size))
		if out.Len() > size+1 || err == nil && out.Len() > size {
			t.Fatalf("CopyMembers writes %d bytes for the limit %d, with the error %v; want an error beyond the limit",
				out.Len(), size, err)
		}
	})
}
