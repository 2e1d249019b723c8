package explog

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// TestKernelsAreInUse checks that the kernels are used if the processor has their instructions. It fails if a new
// version of package math computes its functions by other operations.
func TestKernelsAreInUse(t *testing.T) {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && kernels() == nil {
		t.Error("results of exp4 or log4 differ from those of package math: compare its exp_amd64.s and log_amd64.s")
	}
}
