package machine_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/internal/machine"
)

// TestThisProcess checks that the text stays the same within a process and contains its id.
func TestThisProcess(t *testing.T) {
	a, ok := machine.ThisProcess()
	if !ok {
		if runtime.GOOS == "linux" {
			t.Error("the process is not known on Linux")
		}
		return
	}
	if b, _ := machine.ThisProcess(); a != b {
		t.Errorf("two calls give %q and %q, want the same text", a, b)
	}
	if fields := strings.Fields(a); len(fields) != 3 || fields[1] != strconv.Itoa(os.Getpid()) {
		t.Errorf("text = %q, want a boot, the process id %d and a start", a, os.Getpid())
	}
}
