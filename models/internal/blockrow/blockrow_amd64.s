#include "textflag.h"

// The kernels differ only in their numbers of quads (four columns) and pairs (two columns): score10 has two quads and
// one pair. Each kernel is one loop over the entries of a row.
//
// A macro computes four columns (AVX2) or two, at the offset off from w[index·k]. Y15 has the value of the entry in
// every lane. Multiply and add are not fused.

// QUAD: acc += x · w[off:off+4].
#define QUAD(off, tmp, acc) \
	VMULPD off(DX)(AX*1), Y15, tmp \
	VADDPD tmp, acc, acc

// PAIR: acc += x · w[off:off+2].
#define PAIR(off, tmp, acc) \
	VMULPD off(DX)(AX*1), X15, tmp \
	VADDPD tmp, acc, acc

// ADDQUAD: w[off:off+4] += x · m.
#define ADDQUAD(off, m, tmp) \
	VMULPD  Y15, m, tmp               \
	VADDPD  off(DX)(AX*1), tmp, tmp   \
	VMOVUPD tmp, off(DX)(AX*1)

// ADDPAIR: w[off:off+2] += x · m.
#define ADDPAIR(off, m, tmp) \
	VMULPD  X15, m, tmp               \
	VADDPD  off(DX)(AX*1), tmp, tmp   \
	VMOVUPD tmp, off(DX)(AX*1)

// ENTRY: AX = index·8k, Y15 = value; advances to the next entry.
#define ENTRY \
	MOVLQSX      (SI), AX  \
	IMULQ        R8, AX    \
	VBROADCASTSD (BX), Y15 \
	ADDQ         $4, SI    \
	ADDQ         $8, BX

// SCORE loads the arguments of a score kernel and clears the sums: Y0 to Y3 have four columns each, X4 has two.
#define SCORE \
	MOVQ   theta+0(FP), DI  \
	MOVQ   index+8(FP), SI  \
	MOVQ   value+16(FP), BX \
	MOVQ   n+24(FP), CX     \
	MOVQ   w+32(FP), DX     \
	MOVQ   k+40(FP), R8     \
	SHLQ   $3, R8           \
	VXORPD Y0, Y0, Y0       \
	VXORPD Y1, Y1, Y1       \
	VXORPD Y2, Y2, Y2       \
	VXORPD Y3, Y3, Y3       \
	VXORPD Y4, Y4, Y4

// ADD loads the arguments of an add kernel: Y14 = a.
#define ADD \
	MOVQ         w+0(FP), DX      \
	VBROADCASTSD a+8(FP), Y14     \
	MOVQ         index+16(FP), SI \
	MOVQ         value+24(FP), BX \
	MOVQ         n+32(FP), CX     \
	MOVQ         mu+40(FP), DI    \
	MOVQ         k+48(FP), R8     \
	SHLQ         $3, R8

// func score2(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score2(SB), NOSPLIT, $0-48
	SCORE

score2loop:
	ENTRY
	PAIR(0, X12, X4)
	DECQ CX
	JNZ  score2loop
	VMOVUPD X4, (DI)
	VZEROUPPER
	RET

// func score4(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score4(SB), NOSPLIT, $0-48
	SCORE

score4loop:
	ENTRY
	QUAD(0, Y8, Y0)
	DECQ CX
	JNZ  score4loop
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET

// func score6(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score6(SB), NOSPLIT, $0-48
	SCORE

score6loop:
	ENTRY
	QUAD(0, Y8, Y0)
	PAIR(32, X12, X4)
	DECQ CX
	JNZ  score6loop
	VMOVUPD Y0, (DI)
	VMOVUPD X4, 32(DI)
	VZEROUPPER
	RET

// func score8(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score8(SB), NOSPLIT, $0-48
	SCORE

score8loop:
	ENTRY
	QUAD(0, Y8, Y0)
	QUAD(32, Y9, Y1)
	DECQ CX
	JNZ  score8loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func score10(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score10(SB), NOSPLIT, $0-48
	SCORE

score10loop:
	ENTRY
	QUAD(0, Y8, Y0)
	QUAD(32, Y9, Y1)
	PAIR(64, X12, X4)
	DECQ CX
	JNZ  score10loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD X4, 64(DI)
	VZEROUPPER
	RET

// func score12(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score12(SB), NOSPLIT, $0-48
	SCORE

score12loop:
	ENTRY
	QUAD(0, Y8, Y0)
	QUAD(32, Y9, Y1)
	QUAD(64, Y10, Y2)
	DECQ CX
	JNZ  score12loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VZEROUPPER
	RET

// func score14(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score14(SB), NOSPLIT, $0-48
	SCORE

score14loop:
	ENTRY
	QUAD(0, Y8, Y0)
	QUAD(32, Y9, Y1)
	QUAD(64, Y10, Y2)
	PAIR(96, X12, X4)
	DECQ CX
	JNZ  score14loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD X4, 96(DI)
	VZEROUPPER
	RET

// func score16(theta *float64, index *int32, value *float64, n int, w *float64, k int)
TEXT ·score16(SB), NOSPLIT, $0-48
	SCORE

score16loop:
	ENTRY
	QUAD(0, Y8, Y0)
	QUAD(32, Y9, Y1)
	QUAD(64, Y10, Y2)
	QUAD(96, Y11, Y3)
	DECQ CX
	JNZ  score16loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func add2(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add2(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), X14, X4

add2loop:
	ENTRY
	ADDPAIR(0, X4, X12)
	DECQ CX
	JNZ  add2loop
	VZEROUPPER
	RET

// func add4(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add4(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0

add4loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	DECQ CX
	JNZ  add4loop
	VZEROUPPER
	RET

// func add6(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add6(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0
	VMULPD 32(DI), X14, X4

add6loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	ADDPAIR(32, X4, X12)
	DECQ CX
	JNZ  add6loop
	VZEROUPPER
	RET

// func add8(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add8(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0
	VMULPD 32(DI), Y14, Y1

add8loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	ADDQUAD(32, Y1, Y9)
	DECQ CX
	JNZ  add8loop
	VZEROUPPER
	RET

// func add10(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add10(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0
	VMULPD 32(DI), Y14, Y1
	VMULPD 64(DI), X14, X4

add10loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	ADDQUAD(32, Y1, Y9)
	ADDPAIR(64, X4, X12)
	DECQ CX
	JNZ  add10loop
	VZEROUPPER
	RET

// func add12(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add12(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0
	VMULPD 32(DI), Y14, Y1
	VMULPD 64(DI), Y14, Y2

add12loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	ADDQUAD(32, Y1, Y9)
	ADDQUAD(64, Y2, Y10)
	DECQ CX
	JNZ  add12loop
	VZEROUPPER
	RET

// func add14(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add14(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0
	VMULPD 32(DI), Y14, Y1
	VMULPD 64(DI), Y14, Y2
	VMULPD 96(DI), X14, X4

add14loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	ADDQUAD(32, Y1, Y9)
	ADDQUAD(64, Y2, Y10)
	ADDPAIR(96, X4, X12)
	DECQ CX
	JNZ  add14loop
	VZEROUPPER
	RET

// func add16(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)
TEXT ·add16(SB), NOSPLIT, $0-56
	ADD
	VMULPD (DI), Y14, Y0
	VMULPD 32(DI), Y14, Y1
	VMULPD 64(DI), Y14, Y2
	VMULPD 96(DI), Y14, Y3

add16loop:
	ENTRY
	ADDQUAD(0, Y0, Y8)
	ADDQUAD(32, Y1, Y9)
	ADDQUAD(64, Y2, Y10)
	ADDQUAD(96, Y3, Y11)
	DECQ CX
	JNZ  add16loop
	VZEROUPPER
	RET
