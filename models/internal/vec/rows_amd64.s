#include "textflag.h"

// func mulAVX(dst *float64, f float64, x, y *float64, n int) float64
TEXT ·mulAVX(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	VBROADCASTSD f+8(FP), Y15
	MOVQ         x+16(FP), SI
	MOVQ         y+24(FP), DX
	MOVQ         n+32(FP), CX
	VXORPD       Y0, Y0, Y0

mulloop:
	VMULPD  (SI), Y15, Y1
	VMULPD  (DX), Y1, Y1
	VMOVUPD Y1, (DI)
	VADDPD  Y1, Y0, Y0
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     mulloop

	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0 // lanes 0 + 2 and 1 + 3
	VUNPCKHPD    X0, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+40(FP)
	VZEROUPPER
	RET

// ADD4 adds Y15 times four columns of the row at BX to those of the row at AX, at the offset off.
#define ADD4(off, tmp) \
	VMULPD  off(BX), Y15, tmp \
	VADDPD  off(AX), tmp, tmp \
	VMOVUPD tmp, off(AX)

// func addRowsAVX(dst *float64, to *int32, src *float64, from *int32, value *float64, n int, a float64, k int)
TEXT ·addRowsAVX(SB), NOSPLIT, $0-64
	MOVQ         dst+0(FP), DI
	MOVQ         to+8(FP), R10
	MOVQ         src+16(FP), SI
	MOVQ         from+24(FP), R11
	MOVQ         value+32(FP), R12
	MOVQ         n+40(FP), R13
	VMOVSD       a+48(FP), X14
	VBROADCASTSD a+48(FP), Y15
	MOVQ         k+56(FP), R8
	MOVQ         R8, R9
	SHLQ         $3, R9

row:
	MOVLQSX      (R10), AX
	MOVLQSX      (R11), BX
	IMULQ        R9, AX
	IMULQ        R9, BX
	ADDQ         DI, AX
	ADDQ         SI, BX
	TESTQ        R12, R12
	JZ           columns
	VMULSD       (R12), X14, X13
	VBROADCASTSD X13, Y15
	ADDQ         $8, R12

columns:
	MOVQ R8, CX
	SUBQ $16, CX
	JLT  upto15

sixteen:
	ADD4(0, Y0)
	ADD4(32, Y1)
	ADD4(64, Y2)
	ADD4(96, Y3)
	ADDQ $128, AX
	ADDQ $128, BX
	SUBQ $16, CX
	JGE  sixteen

upto15:
	ADDQ $12, CX
	JLT  upto3

four:
	ADD4(0, Y0)
	ADDQ $32, AX
	ADDQ $32, BX
	SUBQ $4, CX
	JGE  four

upto3:
	ADDQ $4, CX
	JZ   done

one:
	VMULSD (BX), X15, X0
	VADDSD (AX), X0, X0
	VMOVSD X0, (AX)
	ADDQ   $8, AX
	ADDQ   $8, BX
	DECQ   CX
	JNZ    one

done:
	ADDQ $4, R10
	ADDQ $4, R11
	DECQ R13
	JNZ  row
	VZEROUPPER
	RET
