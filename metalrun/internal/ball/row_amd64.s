#include "textflag.h"

// Four balls at a time: X and E of four lanes are four float64s each, what they are in f32 is
// computed both ways of rounded, and lanes that are not finite are left to Go.
//
// Y15 is the mask of a size, Y14 the unit of f32, Y13 its least normal number, Y12 where the end of
// its range is near, Y11 zero.

DATA constants<>+0(SB)/8, $0x7fffffffffffffff
DATA constants<>+8(SB)/8, $0x3e70000000000000  // 2^-24
DATA constants<>+16(SB)/8, $0x3810000000000000 // 2^-126
DATA constants<>+24(SB)/8, $0x47e0000000000000 // 2^127
GLOBL constants<>(SB), RODATA|NOPTR, $32

#define CONSTANTS \
	VBROADCASTSD constants<>+0(SB), Y15  \
	VBROADCASTSD constants<>+8(SB), Y14  \
	VBROADCASTSD constants<>+16(SB), Y13 \
	VBROADCASTSD constants<>+24(SB), Y12 \
	VXORPD       Y11, Y11, Y11

// BALLS takes four balls at P, which are S bytes apart (S3 is three times that), apart into X and E.
#define BALLS(P, S, S3, XA, YA, XB, YB, X, E) \
	VMOVUPD     (P), XA                  \
	VINSERTF128 $1, (P)(S*2), YA, YA     \
	VMOVUPD     (P)(S*1), XB             \
	VINSERTF128 $1, (P)(S3*1), YB, YB    \
	VUNPCKLPD   YB, YA, X                \
	VUNPCKHPD   YB, YA, E                \
	LEAQ        (P)(S*4), P

// SPREAD is |X|·F + (|Y| + F)·E of two factors X ± E and Y ± F, and X·Y.
#define TIMES(X, E, Y, F) \
	VANDPD Y15, X, Y6  \
	VMULPD F, Y6, Y6   \
	VANDPD Y15, Y, Y7  \
	VADDPD F, Y7, Y7   \
	VMULPD E, Y7, Y7   \
	VMULPD Y, X, X     \
	VADDPD Y7, Y6, E

// ROUND rounds X, off by E, to f32. E becomes the error of the results. It jumps to end if X is
// not finite in some lane, near the end of the range or unknown; the other labels are its own. Y0 and Y6 to Y10 are
// lost.
#define ROUND(X, E, end, spread, done) \
	VANDPD     Y15, X, Y6      \
	VADDPD     E, Y6, Y7       \
	VCMPPD     $0x11, Y12, Y7, Y0 \
	VMULPD     Y14, Y7, Y7     \
	VCMPPD     $0, Y11, E, Y9  \
	VADDPD     Y7, E, E        \
	VMOVMSKPD  Y9, R13         \
	TESTL      R13, R13        \
	JEQ        spread          \
	VCVTPD2PSY X, X8           \
	VCVTPS2PD  X8, Y8          \
	VSUBPD     X, Y8, Y8       \
	VANDPD     Y15, Y8, Y8     \
	VBLENDVPD  Y9, Y8, E, E    \
spread:                        \
	VSUBPD     E, Y6, Y8       \
	VCMPPD     $0x1d, Y13, Y8, Y8 \
	VANDPD     Y0, Y8, Y0      \
	VMOVMSKPD  Y0, R13         \
	CMPL       R13, $15        \
	JEQ        done            \
	VADDPD     E, Y6, Y10      \
	VCMPPD     $0x11, Y12, Y10, Y9 \
	VMOVMSKPD  Y9, R13         \
	CMPL       R13, $15        \
	JNE        end             \
	VCMPPD     $0, Y11, Y10, Y7 \
	VORPD      Y7, Y8, Y8      \
	VANDNPD    Y13, Y8, Y8     \
	VADDPD     Y8, E, E        \
done:

// KEEP writes four balls at DI; R14 is zero. Each wide store also clears what the next one writes.
#define KEEP(X, E) \
	VUNPCKLPD    E, X, Y6       \
	VUNPCKHPD    E, X, Y7       \
	VEXTRACTF128 $1, Y6, X8     \
	VEXTRACTF128 $1, Y7, X9     \
	VMOVAPD      X6, X6         \
	VMOVAPD      X7, X7         \
	VMOVUPD      Y6, (DI)       \
	VMOVUPD      Y7, 24(DI)     \
	VMOVUPD      Y8, 48(DI)     \
	VMOVUPD      X9, 72(DI)     \
	MOVQ         R14, 88(DI)    \
	ADDQ         $96, DI

// func sums(d, a, b *Ball, n, stepA, stepB int, sign uint64) int
TEXT ·sums(SB), NOSPLIT, $0-64
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ stepA+32(FP), R8
	MOVQ stepB+40(FP), R10
	VBROADCASTSD sign+48(FP), Y5
	LEAQ (R8)(R8*2), R9
	LEAQ (R10)(R10*2), R11
	CONSTANTS
	XORQ R14, R14
	XORQ BX, BX
sumsLoop:
	LEAQ 4(BX), R12
	CMPQ R12, CX
	JGT  sumsEnd
	BALLS(SI, R8, R9, X0, Y0, X1, Y1, Y2, Y3)
	BALLS(DX, R10, R11, X0, Y0, X1, Y1, Y4, Y10)
	VXORPD Y5, Y4, Y4
	VADDPD Y4, Y2, Y2
	VADDPD Y10, Y3, Y3
	ROUND(Y2, Y3, sumsEnd, sumsSpread, sumsDone)
	KEEP(Y2, Y3)
	MOVQ R12, BX
	JMP  sumsLoop
sumsEnd:
	VZEROUPPER
	MOVQ BX, ret+56(FP)
	RET

// func products(d, a, b *Ball, n, stepA, stepB int) int
TEXT ·products(SB), NOSPLIT, $0-56
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ stepA+32(FP), R8
	MOVQ stepB+40(FP), R10
	LEAQ (R8)(R8*2), R9
	LEAQ (R10)(R10*2), R11
	CONSTANTS
	XORQ R14, R14
	XORQ BX, BX
productsLoop:
	LEAQ 4(BX), R12
	CMPQ R12, CX
	JGT  productsEnd
	BALLS(SI, R8, R9, X0, Y0, X1, Y1, Y2, Y3)
	BALLS(DX, R10, R11, X0, Y0, X1, Y1, Y4, Y5)
	TIMES(Y2, Y3, Y4, Y5)
	ROUND(Y2, Y3, productsEnd, productsSpread, productsDone)
	KEEP(Y2, Y3)
	MOVQ R12, BX
	JMP  productsLoop
productsEnd:
	VZEROUPPER
	MOVQ BX, ret+48(FP)
	RET

// func fused(d, a, b, c *Ball, n, stepA, stepB, stepC int) int
TEXT ·fused(SB), NOSPLIT, $0-72
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), AX
	MOVQ n+32(FP), CX
	MOVQ stepA+40(FP), R8
	MOVQ stepB+48(FP), R10
	MOVQ stepC+56(FP), R15
	LEAQ (R8)(R8*2), R9
	LEAQ (R10)(R10*2), R11
	CONSTANTS
	XORQ BX, BX
fusedLoop:
	LEAQ 4(BX), R12
	CMPQ R12, CX
	JGT  fusedEnd
	BALLS(SI, R8, R9, X0, Y0, X1, Y1, Y2, Y3)
	BALLS(DX, R10, R11, X0, Y0, X1, Y1, Y4, Y5)
	TIMES(Y2, Y3, Y4, Y5)
	LEAQ (R15)(R15*2), R14
	BALLS(AX, R15, R14, X0, Y0, X1, Y1, Y4, Y5)
	VADDPD Y4, Y2, Y2
	VADDPD Y5, Y3, Y3
	ROUND(Y2, Y3, fusedEnd, fusedSpread, fusedDone)
	XORQ R14, R14
	KEEP(Y2, Y3)
	MOVQ R12, BX
	JMP  fusedLoop
fusedEnd:
	VZEROUPPER
	MOVQ BX, ret+64(FP)
	RET

// func numbers(d *Ball, v *float32, n int)
TEXT ·numbers(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ v+8(FP), SI
	MOVQ n+16(FP), CX
	CONSTANTS
	XORQ R14, R14
numbersLoop:
	SUBQ $4, CX
	JLT  numbersEnd
	VCVTPS2PD (SI), Y2
	VANDPD Y15, Y2, Y3
	VCMPPD $0x11, Y13, Y3, Y4
	VANDPD Y4, Y3, Y3
	KEEP(Y2, Y3)
	ADDQ $16, SI
	JMP  numbersLoop
numbersEnd:
	VZEROUPPER
	RET

// NEAREST rounds X to a number with fewer digits, ties to even: X1 is how many it lacks, Y5 one, and
// Y4 one less than half a unit of the last digit that is left.
#define NEAREST(X, T) \
	VPSRLQ X1, X, T    \
	VPAND  Y5, T, T    \
	VPADDQ Y4, X, X    \
	VPADDQ T, X, X     \
	VPSRLQ X1, X, X    \
	VPSLLQ X1, X, X

// func anchored(d, a *Ball, n, step int, cut uint64, least, most float64) int
TEXT ·anchored(SB), NOSPLIT, $0-64
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ step+24(FP), R8
	VMOVQ cut+32(FP), X1
	VBROADCASTSD least+40(FP), Y13
	VBROADCASTSD most+48(FP), Y12
	VBROADCASTSD constants<>+0(SB), Y15
	LEAQ (R8)(R8*2), R9
	VPCMPEQQ Y11, Y11, Y11
	VPSRLQ $63, Y11, Y5       // 1
	VPSLLQ X1, Y5, Y4
	VPSRLQ $1, Y4, Y4         // half a unit
	VPADDQ Y11, Y4, Y4        // less one
	XORQ R14, R14
	XORQ BX, BX
anchoredLoop:
	LEAQ 4(BX), R12
	CMPQ R12, CX
	JGT  anchoredEnd
	MOVQ 16(SI), R10
	ORQ  16(SI)(R8*1), R10
	ORQ  16(SI)(R8*2), R10
	ORQ  16(SI)(R9*1), R10
	JNE  anchoredEnd
	BALLS(SI, R8, R9, X6, Y6, X7, Y7, Y2, Y3)
	VANDPD Y15, Y2, Y8
	VADDPD Y3, Y8, Y9         // size + E < most
	VCMPPD $0x11, Y12, Y9, Y9
	VADDPD Y3, Y3, Y10
	VADDPD Y13, Y10, Y10      // size > least + 2E
	VCMPPD $0x1e, Y10, Y8, Y10
	VANDPD Y10, Y9, Y9
	VMOVMSKPD Y9, R13
	CMPL R13, $15
	JNE  anchoredEnd
	VADDPD Y3, Y2, Y8
	VSUBPD Y3, Y2, Y9
	NEAREST(Y2, Y10)
	NEAREST(Y8, Y10)
	NEAREST(Y9, Y10)
	VSUBPD Y2, Y8, Y8
	VSUBPD Y9, Y2, Y9
	VMAXPD Y9, Y8, Y3
	KEEP(Y2, Y3)
	MOVQ R12, BX
	JMP  anchoredLoop
anchoredEnd:
	VZEROUPPER
	MOVQ BX, ret+56(FP)
	RET
