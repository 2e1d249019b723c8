#include "textflag.h"

// func lines(p unsafe.Pointer, n uintptr)
//
// The first and the last line are prefetched without a loop. Only if n > 128, a loop prefetches all lines after the
// first.
TEXT ·lines(SB), NOSPLIT, $0-16
	MOVQ       p+0(FP), AX
	MOVQ       n+8(FP), CX
	PREFETCHT0 (AX)
	PREFETCHT0 -1(AX)(CX*1)
	CMPQ       CX, $128
	JHI        long
	RET

long:
	ADDQ AX, CX // p + n

line:
	ADDQ       $64, AX
	PREFETCHT0 (AX)
	CMPQ       AX, CX
	JLT        line
	RET
