package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// FuzzReadWeights checks that no content of a weights file makes the reader panic. Either the reader returns an error
// that names the file, or the file has as many weights as it declares. The fuzzer changes the content before
// compression, and a byte of the compressed file.
func FuzzReadWeights(f *testing.F) {
	for _, s := range []string{`{"format":"gaplab-weights/3","model":"chain","dim":1,"vocabulary":{}}` + "\n12345678",
		`{"format":"gaplab-weights/2","features":2,"classes":["a","b"],"w":[1,0,0,1]}`,
		`{"format":"gaplab-weights/1","w":[1e308]}`, `{"format":"gaplab-weights/3","dim":-1}`,
		`{"format":"gaplab-weights/3","dim":2305843009213693952}`} {
		f.Add([]byte(s), -1, byte(0))
		f.Add([]byte(s), 20, byte(0x40))
	}
	for _, exact := range []bool{true, false} {
		f.Add(content(f, sample(exact)), -1, byte(0))
	}
	f.Fuzz(func(t *testing.T, content []byte, at int, damage byte) {
		var file bytes.Buffer
		z := gzip.NewWriter(&file)
		if _, err := z.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if at >= 0 && at < file.Len() {
			file.Bytes()[at] ^= damage
		}
		w, err := readWeights(&file, "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f: ") {
				t.Fatalf("error %q does not name the file", err)
			}
			return
		}
		if (w.Format == WeightsFormat || w.Format == weightsThird) && len(w.W) != w.Dim {
			t.Fatalf("%d weights: want %d", len(w.W), w.Dim)
		}
		if err := finite(w.W); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzUnpack checks that a changed pack gives an error that names the file, or has the number of runs that its head
// declares. The test writes the correct digest of the changed lines. Otherwise the reader would find only that the
// digest is wrong.
func FuzzUnpack(f *testing.F) {
	const head = `{"pack":{"format":"gaplab-pack/1","experiment":"eg/x","scale":"smoke","runs":2,"common":{"n":3,` +
		`"labels":{"C":1,"as":"eg"},"spec":{"model":{"name":"m"}}}}}` + "\n"
	f.Add([]byte(head + `{"run":{"manifest":{"key":"a","order":1,"spec":{"model":{"loss":"log"}}},` +
		`"columns":["primal","passes"],"constants":{"lambda":0.1},"rows":2,"end":{"status":"done","rows":2}}}` +
		"\n[0.5,0]\n" + `[null,1,["a warning"]]` + "\n" +
		`{"shared":{"in":"eg/y","key":"b","order":1,"labels":{"C":2}}}` + "\n"))
	f.Add([]byte(head + `{"run":{"manifest":{},"rows":-1}}` + "\n" + `{"run":{"manifest":null,"rows":1}}` + "\n[]\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		sum := sha256.Sum256(lines)
		head, runs, err := unpack("f", fmt.Appendf(bytes.Clone(lines), "{\"digest\":\"%x\"}\n", sum))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("error %q does not begin with the file's name", err)
			}
			return
		}
		if len(runs) != head.Runs {
			t.Fatalf("%d runs: want %d", len(runs), head.Runs)
		}
		for _, r := range runs {
			if (r.file == nil) == (r.shared == nil) {
				t.Fatalf("run %+v: want either a run or a reference to one", r)
			}
		}
	})
}
