#include "textflag.h"

// Both products loop over the rows of m and keep the results in registers: Y0 .. Y7 have four columns each.

// ARGS: DI = dst, SI = x, R8 = bytes from one x to the next, DX = m, CX = rows, R9 = bytes of a row.
#define ARGS \
	MOVQ dst+0(FP), DI    \
	MOVQ x+8(FP), SI      \
	MOVQ step+16(FP), R8  \
	MOVQ m+24(FP), DX     \
	MOVQ n+32(FP), CX     \
	MOVQ stride+40(FP), R9 \
	SHLQ $3, R8           \
	SHLQ $3, R9

// NEXT advances to the next row. The zero flag is set if there is none.
#define NEXT \
	ADDQ R8, SI \
	ADDQ R9, DX \
	DECQ CX

// MULADD: acc += x · m[off:off+4], x broadcast in Y15.
#define MULADD(off, tmp, acc) \
	VMULPD off(DX), Y15, tmp \
	VADDPD tmp, acc, acc

// ADDMAX: acc = max(acc, x + m[off:off+4]); if they are equal, acc does not change.
#define ADDMAX(off, tmp, acc) \
	VADDPD off(DX), Y15, tmp \
	VMAXPD acc, tmp, acc

// func mulVec32(dst, x *float64, step int, m *float64, n, stride int)
TEXT ·mulVec32(SB), NOSPLIT, $0-48
	ARGS
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

mul32:
	VBROADCASTSD (SI), Y15
	MULADD(0, Y8, Y0)
	MULADD(32, Y9, Y1)
	MULADD(64, Y10, Y2)
	MULADD(96, Y11, Y3)
	MULADD(128, Y12, Y4)
	MULADD(160, Y13, Y5)
	MULADD(192, Y14, Y6)
	MULADD(224, Y8, Y7)
	NEXT
	JNZ     mul32
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	VZEROUPPER
	RET

// func mulVec16(dst, x *float64, step int, m *float64, n, stride int)
TEXT ·mulVec16(SB), NOSPLIT, $0-48
	ARGS
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

mul16:
	VBROADCASTSD (SI), Y15
	MULADD(0, Y8, Y0)
	MULADD(32, Y9, Y1)
	MULADD(64, Y10, Y2)
	MULADD(96, Y11, Y3)
	NEXT
	JNZ     mul16
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func mulVec8(dst, x *float64, step int, m *float64, n, stride int)
TEXT ·mulVec8(SB), NOSPLIT, $0-48
	ARGS
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1

mul8:
	VBROADCASTSD (SI), Y15
	MULADD(0, Y8, Y0)
	MULADD(32, Y9, Y1)
	NEXT
	JNZ     mul8
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

DATA least<>+0(SB)/8, $0xfff0000000000000 // −∞
GLOBL least<>(SB), RODATA|NOPTR, $8

// func maxPlus32(dst, x *float64, step int, m *float64, n, stride int)
TEXT ·maxPlus32(SB), NOSPLIT, $0-48
	ARGS
	VBROADCASTSD least<>(SB), Y0
	VMOVAPD      Y0, Y1
	VMOVAPD      Y0, Y2
	VMOVAPD      Y0, Y3
	VMOVAPD      Y0, Y4
	VMOVAPD      Y0, Y5
	VMOVAPD      Y0, Y6
	VMOVAPD      Y0, Y7

max32:
	VBROADCASTSD (SI), Y15
	ADDMAX(0, Y8, Y0)
	ADDMAX(32, Y9, Y1)
	ADDMAX(64, Y10, Y2)
	ADDMAX(96, Y11, Y3)
	ADDMAX(128, Y12, Y4)
	ADDMAX(160, Y13, Y5)
	ADDMAX(192, Y14, Y6)
	ADDMAX(224, Y8, Y7)
	NEXT
	JNZ     max32
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	VZEROUPPER
	RET

// func maxPlus16(dst, x *float64, step int, m *float64, n, stride int)
TEXT ·maxPlus16(SB), NOSPLIT, $0-48
	ARGS
	VBROADCASTSD least<>(SB), Y0
	VMOVAPD      Y0, Y1
	VMOVAPD      Y0, Y2
	VMOVAPD      Y0, Y3

max16:
	VBROADCASTSD (SI), Y15
	ADDMAX(0, Y8, Y0)
	ADDMAX(32, Y9, Y1)
	ADDMAX(64, Y10, Y2)
	ADDMAX(96, Y11, Y3)
	NEXT
	JNZ     max16
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func maxPlus8(dst, x *float64, step int, m *float64, n, stride int)
TEXT ·maxPlus8(SB), NOSPLIT, $0-48
	ARGS
	VBROADCASTSD least<>(SB), Y0
	VMOVAPD      Y0, Y1

max8:
	VBROADCASTSD (SI), Y15
	ADDMAX(0, Y8, Y0)
	ADDMAX(32, Y9, Y1)
	NEXT
	JNZ     max8
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET
