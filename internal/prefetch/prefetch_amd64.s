#include "textflag.h"

// func lines(p unsafe.Pointer, n uintptr)
//
// The first and the last line, without a branch where no line is between them.
TEXT ·lines(SB), NOSPLIT, $0-16
	MOVQ       p+0(FP), AX
	MOVQ       n+8(FP), CX
	PREFETCHT0 (AX)
	PREFETCHT0 -1(AX)(CX*1)
	CMPQ       CX, $128
	JHI        long
	RET

long:
	ADDQ AX, CX // the end

line:
	ADDQ       $64, AX
	PREFETCHT0 (AX)
	CMPQ       AX, CX
	JLT        line
	RET
