#include "textflag.h"

// EXP and LOG do the same operations in the same order as exp_amd64.s and log_amd64.s of package math. R8 points to the
// constants. Y0 holds four numbers, and afterwards their results. AX becomes 15 if all four numbers are in range.

// EXP: let y = x − shift, n = y/ln 2 rounded to the nearest integer, and r = (y − n ln 2)/16. The Taylor series gives z
// = e^r − 1. Four times z ← z (z + 2), which squares z + 1. Then e^y = 2ⁿ (z + 1).
#define EXP \
	VSUBPD       Y15, Y0, Y0      \
	VCMPPD       $13, (R8), Y0, Y4 \
	VCMPPD       $2, 32(R8), Y0, Y5 \
	VANDPD       Y4, Y5, Y4       \
	VMOVMSKPD    Y4, AX           \
	VMULPD       64(R8), Y0, Y1   \
	VCVTPD2DQY   Y1, X2           \
	VCVTDQ2PD    X2, Y1           \
	VFNMADD231PD 96(R8), Y1, Y0   \
	VFNMADD231PD 128(R8), Y1, Y0  \
	VMULPD       160(R8), Y0, Y0  \
	VMOVUPD      192(R8), Y3      \
	VFMADD213PD  224(R8), Y0, Y3  \
	VFMADD213PD  256(R8), Y0, Y3  \
	VFMADD213PD  288(R8), Y0, Y3  \
	VFMADD213PD  320(R8), Y0, Y3  \
	VFMADD213PD  352(R8), Y0, Y3  \
	VFMADD213PD  384(R8), Y0, Y3  \
	VFMADD213PD  416(R8), Y0, Y3  \
	VMULPD       Y3, Y0, Y0       \
	VADDPD       448(R8), Y0, Y3  \
	VMULPD       Y3, Y0, Y0       \
	VADDPD       448(R8), Y0, Y3  \
	VMULPD       Y3, Y0, Y0       \
	VADDPD       448(R8), Y0, Y3  \
	VMULPD       Y3, Y0, Y0       \
	VADDPD       448(R8), Y0, Y3  \
	VFMADD213PD  416(R8), Y3, Y0  \
	VPMOVSXDQ    X2, Y2           \
	VPADDQ       480(R8), Y2, Y2  \
	VPSLLQ       $52, Y2, Y2      \
	VMULPD       Y2, Y0, Y0

// LOG: let x = 2ᵏ (1 + f) with √½ < 1 + f ≤ √2, s = f/(2 + f), h = f²/2, and R = t1 + t2, a polynomial in s². L and l
// are the upper and the lower part of ln 2. Then log x = k L − ((h − (s (h + R) + k l)) − f).
#define LOG \
	VCMPPD  $13, (R8), Y0, Y4    \
	VCMPPD  $2, 32(R8), Y0, Y5   \
	VANDPD  Y4, Y5, Y4           \
	VMOVMSKPD Y4, AX             \
	VANDPD  64(R8), Y0, Y2       \
	VORPD   96(R8), Y2, Y2       \
	VPSRLQ  $52, Y0, Y1          \
	VORPD   128(R8), Y1, Y1      \
	VSUBPD  160(R8), Y1, Y1      \
	VCMPPD  $2, 192(R8), Y2, Y3  \
	VMOVUPD 224(R8), Y6          \
	VANDPD  Y6, Y3, Y3           \
	VSUBPD  Y3, Y1, Y1           \
	VADDPD  Y6, Y3, Y3           \
	VMULPD  Y3, Y2, Y2           \
	VSUBPD  Y6, Y2, Y2           \
	VADDPD  Y6, Y6, Y0           \
	VADDPD  Y2, Y0, Y0           \
	VDIVPD  Y0, Y2, Y3           \
	VMULPD  Y3, Y3, Y4           \
	VMULPD  Y4, Y4, Y5           \
	VMULPD  256(R8), Y5, Y6      \
	VADDPD  288(R8), Y6, Y6      \
	VMULPD  Y5, Y6, Y6           \
	VADDPD  320(R8), Y6, Y6      \
	VMULPD  Y5, Y6, Y6           \
	VADDPD  352(R8), Y6, Y6      \
	VMULPD  Y6, Y4, Y4           \
	VMULPD  384(R8), Y5, Y6      \
	VADDPD  416(R8), Y6, Y6      \
	VMULPD  Y5, Y6, Y6           \
	VADDPD  448(R8), Y6, Y6      \
	VMULPD  Y6, Y5, Y5           \
	VADDPD  Y5, Y4, Y4           \
	VMULPD  96(R8), Y2, Y0       \
	VMULPD  Y2, Y0, Y0           \
	VADDPD  Y0, Y4, Y4           \
	VMULPD  Y4, Y3, Y3           \
	VMULPD  480(R8), Y1, Y4      \
	VADDPD  Y4, Y3, Y3           \
	VSUBPD  Y3, Y0, Y0           \
	VSUBPD  Y2, Y0, Y0           \
	VMULPD  Y15, Y1, Y1          \
	VSUBPD  Y0, Y1, Y0

// BLOCKS applies f to groups of four numbers. If 4 does not divide n, it loads the last four numbers at the beginning,
// since dst may be x, and computes them at the end.
#define BLOCKS(f, four, done) \
	MOVQ    CX, R9               \
	VMOVUPD -32(SI)(CX*8), Y14   \
	XORQ    BX, BX               \
	ANDQ    $~3, CX              \
four: \
	VMOVUPD (SI)(BX*8), Y0       \
	f                            \
	CMPL    AX, $15              \
	JNE     done                 \
	VMOVUPD Y0, (DI)(BX*8)       \
	ADDQ    $4, BX               \
	CMPQ    BX, CX               \
	JLT     four                 \
	CMPQ    BX, R9               \
	JEQ     done                 \
	VMOVAPD Y14, Y0              \
	f                            \
	CMPL    AX, $15              \
	JNE     done                 \
	VMOVUPD Y0, -32(DI)(R9*8)    \
	MOVQ    R9, BX               \
done:

// func exp4(dst, x *float64, shift float64, n int, constants *[16][4]float64) int
TEXT ·exp4(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSD shift+16(FP), Y15
	MOVQ         n+24(FP), CX
	MOVQ         constants+32(FP), R8
	BLOCKS(EXP, expfour, expdone)
	MOVQ         BX, ret+40(FP)
	VZEROUPPER
	RET

DATA ln2<>+0(SB)/8, $6.93147180369123816490e-01
GLOBL ln2<>(SB), RODATA, $8

// func log4(dst, x *float64, n int, constants *[16][4]float64) int
TEXT ·log4(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSD ln2<>(SB), Y15 // upper part of ln 2
	MOVQ         n+16(FP), CX
	MOVQ         constants+24(FP), R8
	BLOCKS(LOG, logfour, logdone)
	MOVQ         BX, ret+32(FP)
	VZEROUPPER
	RET
