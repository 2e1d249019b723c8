package explog

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// TestKernelsAreInUse checks that the kernels are used if the processor has what they need; otherwise package math has
// changed its operations.
func TestKernelsAreInUse(t *testing.T) {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && kernels() == nil {
		t.Error("exp4 or log4 has other bits than package math: see its exp_amd64.s and log_amd64.s")
	}
}
