package lang

import "testing"

func BenchmarkNewParser(b *testing.B) {
	for b.Loop() {
		if _, err := NewParser(toy()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	parser, err := NewParser(toy())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := parser.Parse("b.yaml", []byte(base)); err != nil {
			b.Fatal(err)
		}
	}
}
