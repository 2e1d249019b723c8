package real

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// BenchmarkParsed measures three durations for published sets: of reading their files, of reading their files and
// writing the cache of parsed data, and of reading the cache.
func BenchmarkParsed(b *testing.B) {
	small := Covertype{Train: 100_000, Scale: "unit", Classes: "all", SplitSeed: 1}
	for _, set := range []struct {
		name, of string
		loader   datasets.Loader
	}{
		{"a9a", "a9a", entry(b, "a9a").New()},
		{"ijcnn1", "ijcnn1", entry(b, "ijcnn1").New()},
		{"covertype-100000", "covertype", &small},
		{"mnist", "mnist", MNIST{Train: 60_000, Validation: 10_000}},
		{"ocr-letters", "ocr-letters", entry(b, "ocr-letters").New()},
		{"conll2000", "conll2000", entry(b, "conll2000").New()},
		{"cast3lb", "cast3lb", entry(b, "cast3lb").New()},
		{"ptb-sample", "ptb-sample", entry(b, "ptb-sample").New()},
	} {
		b.Run(set.name, func(b *testing.B) {
			src := realSource(b, set.of)
			load := func(b *testing.B) {
				if _, err := src.Load(context.Background(), set.loader, set.of); err != nil {
					b.Fatal(err)
				}
			}
			b.Run("read", func(b *testing.B) {
				for b.Loop() {
					load(b)
				}
			})
			src.Parsed = datasets.Parsed{Folder: b.TempDir(), Limit: 1 << 30}
			b.Run("keep", func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					if err := src.Parsed.Clear(); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					load(b)
				}
			})
			b.Run("kept", func(b *testing.B) {
				for b.Loop() {
					load(b)
				}
			})
		})
	}
}
