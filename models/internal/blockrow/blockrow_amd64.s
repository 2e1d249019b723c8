#include "textflag.h"

// PAIR: acc += x · w[off:off+2], x broadcast in X8, w at DX+AX.
#define PAIR(off, tmp, acc) \
	MOVUPD off(DX)(AX*1), tmp \
	MULPD  X8, tmp            \
	ADDPD  tmp, acc

// ENTRY: AX = index·8k, X8 = (value, value); advances to the next entry.
#define ENTRY \
	MOVLQSX  (SI), AX \
	IMULQ    R8, AX   \
	MOVSD    (BX), X8 \
	UNPCKLPD X8, X8   \
	ADDQ     $4, SI   \
	ADDQ     $8, BX

// func score8(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score8(SB), NOSPLIT, $0-48
	MOVQ  theta+0(FP), DI
	MOVQ  index+8(FP), SI
	MOVQ  value+16(FP), BX
	MOVQ  n+24(FP), CX
	MOVQ  w+32(FP), DX
	MOVQ  k+40(FP), R8
	SHLQ  $3, R8
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3

score8loop:
	ENTRY
	PAIR(0, X4, X0)
	PAIR(16, X5, X1)
	PAIR(32, X6, X2)
	PAIR(48, X7, X3)
	DECQ   CX
	JNZ    score8loop
	MOVUPD X0, (DI)
	MOVUPD X1, 16(DI)
	MOVUPD X2, 32(DI)
	MOVUPD X3, 48(DI)
	RET

// func score2(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score2(SB), NOSPLIT, $0-48
	MOVQ  theta+0(FP), DI
	MOVQ  index+8(FP), SI
	MOVQ  value+16(FP), BX
	MOVQ  n+24(FP), CX
	MOVQ  w+32(FP), DX
	MOVQ  k+40(FP), R8
	SHLQ  $3, R8
	XORPS X0, X0

score2loop:
	ENTRY
	PAIR(0, X4, X0)
	DECQ   CX
	JNZ    score2loop
	MOVUPD X0, (DI)
	RET

// ADDPAIR: w[off:off+2] += x · m.
#define ADDPAIR(off, tmp, m) \
	MOVAPD m, tmp                 \
	MULPD  X8, tmp                \
	MOVUPD off(DX)(AX*1), X9      \
	ADDPD  X9, tmp                \
	MOVUPD tmp, off(DX)(AX*1)

// func add8(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add8(SB), NOSPLIT, $0-56
	MOVQ     w+0(FP), DX
	MOVSD    a+8(FP), X9
	UNPCKLPD X9, X9
	MOVQ     index+16(FP), SI
	MOVQ     value+24(FP), BX
	MOVQ     n+32(FP), CX
	MOVQ     mu+40(FP), DI
	MOVQ     k+48(FP), R8
	SHLQ     $3, R8
	MOVUPD   (DI), X0
	MOVUPD   16(DI), X1
	MOVUPD   32(DI), X2
	MOVUPD   48(DI), X3
	MULPD    X9, X0
	MULPD    X9, X1
	MULPD    X9, X2
	MULPD    X9, X3

add8loop:
	ENTRY
	ADDPAIR(0, X4, X0)
	ADDPAIR(16, X5, X1)
	ADDPAIR(32, X6, X2)
	ADDPAIR(48, X7, X3)
	DECQ CX
	JNZ  add8loop
	RET

// func add2(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add2(SB), NOSPLIT, $0-56
	MOVQ     w+0(FP), DX
	MOVSD    a+8(FP), X9
	UNPCKLPD X9, X9
	MOVQ     index+16(FP), SI
	MOVQ     value+24(FP), BX
	MOVQ     n+32(FP), CX
	MOVQ     mu+40(FP), DI
	MOVQ     k+48(FP), R8
	SHLQ     $3, R8
	MOVUPD   (DI), X0
	MULPD    X9, X0

add2loop:
	ENTRY
	ADDPAIR(0, X4, X0)
	DECQ CX
	JNZ  add2loop
	RET
