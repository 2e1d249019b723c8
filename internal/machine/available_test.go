package machine

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// TestField checks how a value is read from a file of /proc: that of the line that begins with the name, in bytes, and
// none if the file, the line, the number or its unit is missing.
func TestField(t *testing.T) {
	const text = "First:   7 kB\nMemFree:  100 kB\nCommitted_MemAvailable:  5 kB\nMemAvailable:\t 2048 kB\nPages:  9\n" +
		"Odd:  x kB\nLast:  3 kB"
	path := filepath.Join(t.TempDir(), "meminfo")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"First:": 7 << 10, "MemFree:": 100 << 10, "MemAvailable:": 2048 << 10,
		"Last:": 3 << 10, "Pages:": -1, "Odd:": -1, "None:": -1, "Mem:": -1} {
		if got, ok := field(path, name); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s is %d, %v; want %d", name, got, ok, want)
		}
	}
	if got, ok := field(path+"x", "First:"); ok || got != 0 {
		t.Errorf("a file that does not exist has the value %d, %v", got, ok)
	}
}

// TestAvailable checks that GOMEMLIMIT counts as a limit if it is the smallest: what this process holds is subtracted,
// and the rest is never negative.
func TestAvailable(t *testing.T) {
	before := Available()
	if before.Bytes <= 0 || before.By == "" {
		t.Errorf("%+v is available, want memory and a reason", before)
	}
	const more = 32 << 20
	old := debug.SetMemoryLimit(held() + more)
	defer debug.SetMemoryLimit(old)
	if got := Available(); got.By != "GOMEMLIMIT" || got.Bytes > 2*more || got.Bytes < more/2 {
		t.Errorf("%+v is available, want about %d by GOMEMLIMIT", got, more)
	}
	debug.SetMemoryLimit(1)
	if got := Available(); got.By != "GOMEMLIMIT" || got.Bytes != 0 {
		t.Errorf("%+v is available beyond the limit, want 0", got)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	if got := Available(); got.By == "GOMEMLIMIT" {
		t.Errorf("%+v without GOMEMLIMIT", got)
	}
}

// TestSize checks the units of sizes.
func TestSize(t *testing.T) {
	for bytes, want := range map[float64]string{0: "0 B", 1: "1 B", 999: "999 B", 1000: "1 kB", 34.4e9: "34.4 GB",
		1.5e12: "1.5 TB", 123456: "123 kB", 2e6: "2 MB", 7e15: "7 PB", 7e18: "7 EB", 7e21: "7e+03 EB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%v bytes are %s, want %s", bytes, got, want)
		}
	}
}

// TestPeak checks that nothing is measured without WatchPeak, that WatchPeak forgets an earlier peak, and that there is
// no number for a process that does not exist.
func TestPeak(t *testing.T) {
	if got := (Peak{}).Bytes(); got != 0 {
		t.Errorf("a peak of %d bytes that nobody watched", got)
	}
	if got := PeakOf(math.MaxInt32); got != 0 {
		t.Errorf("a process that does not exist has a peak of %d bytes", got)
	}
	first := WatchPeak()
	if first.Bytes() == 0 {
		t.Skip("this system cannot reset the peak of a process")
	}
	const size = 64 << 20
	func() {
		held := make([]byte, size)
		for i := 0; i < size; i += 1 << 10 {
			held[i] = 1
		}
	}()
	high := first.Bytes()
	if low := WatchPeak().Bytes(); high < size || low > high-size/2 || PeakOf(os.Getpid()) < low {
		t.Errorf("the peak was %d bytes with an array of %d bytes, and %d after it", high, size, low)
	}
}

// TestShareSince checks the share of garbage collection in the time that was not idle, between two moments.
func TestShareSince(t *testing.T) {
	for _, c := range []struct {
		before, after Collector
		want          float64
	}{
		{Collector{1, 10}, Collector{2, 14}, 0.25}, {Collector{}, Collector{3, 6}, 0.5},
		{Collector{2, 10}, Collector{2, 14}, 0}, {Collector{2, 14}, Collector{3, 14}, 0},
		{Collector{3, 14}, Collector{2, 20}, 0},
	} {
		if got := c.after.ShareSince(c.before); got != c.want {
			t.Errorf("the share from %+v to %+v is %v, want %v", c.before, c.after, got, c.want)
		}
	}
}

// TestRegular checks which files are refused, and by which name.
func TestRegular(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{file: "", filepath.Dir(file): "it is a folder; accepted: a file",
		os.DevNull: "it is a device; accepted: a file"} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Regular(path, info); (err == nil) != (says == "") ||
			err != nil && !strings.HasSuffix(err.Error(), path+": "+says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
}
