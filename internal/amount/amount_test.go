package amount

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{5: "5 B", 8900: "9 kB", 54_950_048: "55 MB", 1_500_000_000: "1.5 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s; want %s", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs"} {
		if got := Count(n, "run"); got != want {
			t.Errorf("Count(%d) = %s; want %s", n, got, want)
		}
	}
}
