#include "textflag.h"

DATA expo<>+0(SB)/8, $-709.2
DATA expo<>+8(SB)/8, $1.4426950408889634  // log₂ e
DATA expo<>+16(SB)/8, $6755399441055744.0  // 3·2⁵¹
DATA expo<>+24(SB)/8, $6.93147180369123816490e-01
DATA expo<>+32(SB)/8, $1.90821492927058770002e-10
DATA expo<>+40(SB)/8, $1023
DATA expo<>+48(SB)/8, $1.6059043836821613e-10 // 1/13!
DATA expo<>+56(SB)/8, $2.08767569878681e-09
DATA expo<>+64(SB)/8, $2.505210838544172e-08
DATA expo<>+72(SB)/8, $2.755731922398589e-07
DATA expo<>+80(SB)/8, $2.7557319223985893e-06
DATA expo<>+88(SB)/8, $2.48015873015873e-05
DATA expo<>+96(SB)/8, $0.0001984126984126984
DATA expo<>+104(SB)/8, $0.001388888888888889
DATA expo<>+112(SB)/8, $0.008333333333333333
DATA expo<>+120(SB)/8, $0.041666666666666664
DATA expo<>+128(SB)/8, $0.16666666666666666
DATA expo<>+136(SB)/8, $0.5 // 1/2!
DATA expo<>+144(SB)/8, $1.0
GLOBL expo<>(SB), RODATA|NOPTR, $152

// REDUCE: x = y − n ln 2 with n = round(y log₂ e) and y = max(−709.2, x − shift), and q = x². The last bits of t are n.
// Y12 = shift.
#define REDUCE(off, x, t, q) \
	VMOVUPD      off(SI), x         \
	VSUBPD       Y12, x, x          \
	VBROADCASTSD expo<>+0(SB), Y13  \
	VMAXPD       x, Y13, x          \
	VBROADCASTSD expo<>+8(SB), Y13  \
	VMULPD       Y13, x, t          \
	VBROADCASTSD expo<>+16(SB), Y13 \
	VADDPD       Y13, t, t          \
	VSUBPD       Y13, t, Y14        \
	VBROADCASTSD expo<>+24(SB), Y13 \
	VMULPD       Y13, Y14, Y15      \
	VSUBPD       Y15, x, x          \
	VBROADCASTSD expo<>+32(SB), Y13 \
	VMULPD       Y13, Y14, Y15      \
	VSUBPD       Y15, x, x          \
	VMULPD       x, x, q

// TERM: p = p q + coefficient for two groups of four.
#define TERM(at, p0, p1) \
	VBROADCASTSD expo<>+at(SB), Y13 \
	VMULPD       Y4, p0, p0         \
	VMULPD       Y5, p1, p1         \
	VADDPD       Y13, p0, p0        \
	VADDPD       Y13, p1, p1

// SERIES: the odd terms in Y6 and Y7, the even ones in Y8 and Y9.
#define SERIES \
	VBROADCASTSD expo<>+48(SB), Y6 \
	VMOVAPD      Y6, Y7            \
	VBROADCASTSD expo<>+56(SB), Y8 \
	VMOVAPD      Y8, Y9            \
	TERM(64, Y6, Y7)               \
	TERM(72, Y8, Y9)               \
	TERM(80, Y6, Y7)               \
	TERM(88, Y8, Y9)               \
	TERM(96, Y6, Y7)               \
	TERM(104, Y8, Y9)              \
	TERM(112, Y6, Y7)              \
	TERM(120, Y8, Y9)              \
	TERM(128, Y6, Y7)              \
	TERM(136, Y8, Y9)              \
	TERM(144, Y6, Y7)              \
	TERM(144, Y8, Y9)

// SCALE: (odd x + even) 2ⁿ.
#define SCALE(off, x, odd, even, t) \
	VMULPD       x, odd, odd        \
	VADDPD       even, odd, odd     \
	VPBROADCASTQ expo<>+40(SB), Y13 \
	VPADDQ       Y13, t, t          \
	VPSLLQ       $52, t, t          \
	VMULPD       t, odd, odd        \
	VMOVUPD      odd, off(DI)

// func exp4(dst, x *float64, shift float64, n int)
TEXT ·exp4(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSD shift+16(FP), Y12
	MOVQ         n+24(FP), CX
	SUBQ         $8, CX
	JLT          last

eight:
	REDUCE(0, Y0, Y2, Y4)
	REDUCE(32, Y1, Y3, Y5)
	SERIES
	SCALE(0, Y0, Y6, Y8, Y2)
	SCALE(32, Y1, Y7, Y9, Y3)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JGE  eight

last:
	ADDQ $8, CX
	JZ   done

	// four numbers remain; the second group is not used
	REDUCE(0, Y0, Y2, Y4)
	VMOVAPD Y4, Y5
	SERIES
	SCALE(0, Y0, Y6, Y8, Y2)

done:
	VZEROUPPER
	RET
