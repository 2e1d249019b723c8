package parse

import (
	"strings"
	"testing"
)

// TestLongestLine checks that a line that is longer than the limit is an error, since a file without line ends is
// probably not text.
func TestLongestLine(t *testing.T) {
	for _, tt := range []struct {
		length int
		want   string // words that the error must contain
	}{
		{1 << 18, ""},
		{1 << 20, "f:1:327681: the line is too long: want at most 262144 bytes"},
	} {
		l := NewLines("f", strings.NewReader(strings.Repeat("x", tt.length)+"\n"))
		l.longest = 1 << 18
		line, err := l.ReadLine()
		if err == nil && (tt.want != "" || len(line) != tt.length) || err != nil && err.Error() != tt.want {
			t.Errorf("a line of %d bytes: read %d, error %v; want %q", tt.length, len(line), err, tt.want)
		}
	}
}
