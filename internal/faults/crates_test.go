//go:build linux

package faults

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"os"
	"path/filepath"
)

// crates returns faults of crates of results (gaplab archive): changed files, and crates that could harm a reader.
func crates() []fault {
	const pack = "smoke/eg/lem1.jsonl"
	folder := func(change func(dir string, try int) error, message string) func(*gaplab, int) (string, error) {
		return func(g *gaplab, try int) (string, error) {
			dir := filepath.Join(g.dir, fmt.Sprint("crate", try))
			run, cancel := g.command("archive", "eg/lem1", "--scale", "smoke", "-o", filepath.Base(dir))
			defer cancel()
			if out, err := run.CombinedOutput(); err != nil {
				return "", fmt.Errorf("%w: %s", err, out)
			}
			if err := change(dir, try); err != nil {
				return "", err
			}
			return g.refused(4, message, "verify", filepath.Base(dir), "--sample", "1")
		}
	}
	file := func(h zip.FileHeader, text []byte, message string) func(*gaplab, int) (string, error) {
		return func(g *gaplab, _ int) (string, error) {
			if err := zipped(filepath.Join(g.dir, "x.zip"), h, text); err != nil {
				return "", err
			}
			return g.refused(4, message, "verify", "x.zip")
		}
	}
	link := zip.FileHeader{Name: "smoke/link"}
	link.SetMode(os.ModeSymlink | 0o777)
	bomb := deflated(2 << 30)
	return []fault{
		{what: "one bit of one file of a crate is changed", few: 3, tries: 40,
			make: folder(func(dir string, try int) error {
				names := []string{pack, "specs/eg/lem1.yaml"}
				path := filepath.Join(dir, filepath.FromSlash(names[try%len(names)]))
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text[(try*7919+13)%len(text)] ^= 1 << (try % 7)
				return os.WriteFile(path, text, 0o666)
			}, "its SHA-256 is")},
		{what: "a file of a crate is removed", few: 1, tries: 3, make: folder(func(dir string, _ int) error {
			return os.Remove(filepath.Join(dir, filepath.FromSlash(pack)))
		}, "it is missing")},
		{what: "the metadata of a crate are cut off", few: 1, tries: 3, make: folder(func(dir string, _ int) error {
			return os.Truncate(filepath.Join(dir, "ro-crate-metadata.json"), 1000)
		}, "unexpected end of JSON input")},
		{what: "a crate with a file name that leads out of it", few: 1, tries: 3,
			make: file(zip.FileHeader{Name: "../x"}, []byte("x"), "leads out of the crate")},
		{what: "a crate with a symbolic link", few: 1, tries: 3,
			make: file(link, []byte("/etc/passwd"), "is a symbolic link")},
		{what: "a crate whose metadata inflate to 2 GB", few: 1, tries: 3,
			make: file(zip.FileHeader{Name: "ro-crate-metadata.json", Method: zip.Deflate, UncompressedSize64: 2 << 30,
				CompressedSize64: uint64(len(bomb))}, bomb, "accepted: at most")},
		{what: "the same, but the zip file states 1000 bytes", few: 1, tries: 3,
			make: file(zip.FileHeader{Name: "ro-crate-metadata.json", Method: zip.Deflate, UncompressedSize64: 1000,
				CompressedSize64: uint64(len(bomb))}, bomb, "ro-crate-metadata.json: ")},
	}
}

// zipped writes a zip file with one file. If h states a size, text is the compressed content.
func zipped(path string, h zip.FileHeader, text []byte) error {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	create := z.CreateHeader
	if h.UncompressedSize64 > 0 {
		create = z.CreateRaw
	}
	w, err := create(&h)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}

// deflated returns size zeros, compressed.
func deflated(size int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		panic("faults: " + err.Error()) // impossible: the level is known
	}
	block := make([]byte, 1<<20)
	for range size >> 20 {
		w.Write(block)
	}
	w.Close()
	return out.Bytes()
}
