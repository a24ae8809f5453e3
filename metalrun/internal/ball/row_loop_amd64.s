#include "textflag.h"

// Eight balls of a row at a time, in two halves, with the sums of the lanes in registers from turn to
// turn: Y8 and Y9 are X and E of the first half's, Y10 and Y11 of the second's. The lanes of a
// half are in the order 0, 3, 2, 1. R8 has the constants.

#define ABS     (R8)
#define SCALE   32(R8)
#define BYE     64(R8)
#define BYX     96(R8)
#define TWICE  128(R8)
#define NORMAL 160(R8)
#define UNIT   192(R8)
#define END    224(R8)
#define INEXACT 256(R8)

// TAKE takes four balls at P apart into X in Y3 and E in Y4; Y0 to Y2 keep them as they are.
#define TAKE(P) \
	VMOVUPD  0(P), Y0         \
	VMOVUPD  32(P), Y1        \
	VMOVUPD  64(P), Y2        \
	VBLENDPD $4, Y1, Y0, Y3   \
	VBLENDPD $2, Y2, Y3, Y3   \
	VBLENDPD $2, Y0, Y1, Y4   \
	VBLENDPD $4, Y2, Y4, Y4   \
	VPERMPD  $0x39, Y4, Y4

// GIVE puts X in Y3 and E in Y4 back into what TAKE has kept, at P.
#define GIVE(P) \
	VPERMPD  $0x93, Y4, Y4    \
	VBLENDPD $9, Y3, Y0, Y0   \
	VBLENDPD $2, Y4, Y0, Y0   \
	VBLENDPD $4, Y3, Y1, Y1   \
	VBLENDPD $9, Y4, Y1, Y1   \
	VBLENDPD $2, Y3, Y2, Y2   \
	VBLENDPD $4, Y4, Y2, Y2   \
	VMOVUPD  Y0, 0(P)         \
	VMOVUPD  Y1, 32(P)        \
	VMOVUPD  Y2, 64(P)

// POSITIVE begins the test whether lanes may be worked on, in Y7: something is not 0 of their E, or of the sum S of
// that and what makes results inexact.
#define POSITIVE(S) \
	VXORPD Y7, Y7, Y7           \
	VCMPPD $0x1e, Y7, S, Y7

// INRANGE ends it, of the size of X, and of what that is the sum of, in Y6, and of E in Y4.
#define INRANGE(exit) \
	VMAXPD Y4, Y6, Y5           \
	VCMPPD $0x11, END, Y5, Y5   \
	VANDPD Y5, Y7, Y7           \
	VMOVMSKPD Y7, R13           \
	CMPL R13, $15               \
	JNE  exit

// SUM adds the products with the factor at DX to the sum SX ± SE.
#define SUM(SX, SE) \
	VBROADCASTSD (DX), Y5       \
	VMULPD Y5, Y3, Y5           \
	VADDPD Y5, SX, SX           \
	VANDPD ABS, Y5, Y5          \
	VANDPD ABS, SX, Y6          \
	VADDPD Y6, Y5, Y5           \
	VMULPD UNIT, Y5, Y5         \
	VADDPD Y5, SE, SE           \
	VBROADCASTSD 8(DX), Y5      \
	VMULPD Y5, Y4, Y5           \
	VADDPD Y5, SE, SE

#define BEGIN \
	MOVQ sum+0(FP), DI          \
	MOVQ rows+8(FP), SI         \
	MOVQ trips+16(FP), CX       \
	MOVQ stride+24(FP), R9      \
	MOVQ t+32(FP), DX           \
	MOVQ c+40(FP), R8           \
	XORQ BX, BX                 \
	XORQ AX, AX                 \
	TAKE(DI)                    \
	VMOVAPD Y3, Y8              \
	VMOVAPD Y4, Y9              \
	LEAQ 96(DI), R10            \
	TAKE(R10)                   \
	VMOVAPD Y3, Y10             \
	VMOVAPD Y4, Y11

// STORE leaves the sums, which TAKE of either half reads again for what else is there.
#define STORE \
	TAKE(DI)                    \
	VMOVAPD Y8, Y3              \
	VMOVAPD Y9, Y4              \
	GIVE(DI)                    \
	LEAQ 96(DI), R10            \
	TAKE(R10)                   \
	VMOVAPD Y10, Y3             \
	VMOVAPD Y11, Y4             \
	GIVE(R10)                   \
	VZEROUPPER

// func dotted(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants) (done, half int)
TEXT ·dotted(SB), NOSPLIT, $0-64
	BEGIN
dottedLoop:
	CMPQ BX, CX
	JGE  dottedEnd
	LEAQ 96(SI), R10
	TAKE(SI)
	POSITIVE(Y4)
	VANDPD ABS, Y3, Y6
	INRANGE(dottedEnd)
	SUM(Y8, Y9)
	TAKE(R10)
	POSITIVE(Y4)
	VANDPD ABS, Y3, Y6
	INRANGE(dottedHalf)
	SUM(Y10, Y11)
	INCQ BX
	ADDQ R9, SI
	ADDQ $16, DX
	JMP  dottedLoop
dottedHalf:
	INCQ AX
dottedEnd:
	STORE
	MOVQ BX, done+48(FP)
	MOVQ AX, half+56(FP)
	RET

// SCALED is row·Scale.
#define SCALED(exit) \
	VANDPD INEXACT, Y3, Y6      \
	VADDPD Y4, Y6, Y6           \
	POSITIVE(Y6)                \
	VANDPD ABS, Y3, Y6          \
	VMULPD SCALE, Y3, Y3        \
	VMULPD BYE, Y4, Y4          \
	VMULPD BYX, Y6, Y6          \
	VADDPD Y6, Y4, Y4           \
	VADDPD NORMAL, Y4, Y4       \
	VANDPD ABS, Y3, Y6          \
	INRANGE(exit)

// func scaled(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants) (done, half int)
TEXT ·scaled(SB), NOSPLIT, $0-64
	BEGIN
scaledLoop:
	CMPQ BX, CX
	JGE  scaledEnd
	LEAQ 96(SI), R10
	TAKE(SI)
	SCALED(scaledEnd)
	SUM(Y8, Y9)
	GIVE(SI)
	TAKE(R10)
	SCALED(scaledHalf)
	SUM(Y10, Y11)
	GIVE(R10)
	INCQ BX
	ADDQ R9, SI
	ADDQ $16, DX
	JMP  scaledLoop
scaledHalf:
	INCQ AX
scaledEnd:
	STORE
	MOVQ BX, done+48(FP)
	MOVQ AX, half+56(FP)
	RET

// EXACTLY is row·Scale where neither is off but in lanes whose E is not 0: a product is off by its own rounding.
#define EXACTLY(exit) \
	VANDPD ABS, Y3, Y6          \
	VMULPD SCALE, Y3, Y3        \
	VMULPD BYX, Y6, Y6          \
	VXORPD Y7, Y7, Y7           \
	VCMPPD $0x1e, Y7, Y4, Y7    \
	VMULPD BYE, Y4, Y4          \
	VADDPD Y6, Y4, Y4           \
	VCVTPD2PSY Y3, X5           \
	VCVTPS2PD X5, Y5            \
	VSUBPD Y3, Y5, Y5           \
	VANDPD ABS, Y5, Y5          \
	VBLENDVPD Y7, Y4, Y5, Y4    \
	POSITIVE(Y4)                \
	VADDPD NORMAL, Y4, Y4       \
	VANDPD ABS, Y3, Y6          \
	INRANGE(exit)

// func scaledExactly(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants) (done, half int)
TEXT ·scaledExactly(SB), NOSPLIT, $0-64
	BEGIN
exactlyLoop:
	CMPQ BX, CX
	JGE  exactlyEnd
	LEAQ 96(SI), R10
	TAKE(SI)
	EXACTLY(exactlyEnd)
	SUM(Y8, Y9)
	GIVE(SI)
	TAKE(R10)
	EXACTLY(exactlyHalf)
	SUM(Y10, Y11)
	GIVE(R10)
	INCQ BX
	ADDQ R9, SI
	ADDQ $16, DX
	JMP  exactlyLoop
exactlyHalf:
	INCQ AX
exactlyEnd:
	STORE
	MOVQ BX, done+48(FP)
	MOVQ AX, half+56(FP)
	RET

// UPDATED is row + Add·Change, of the Change at R11 and an Add of AX ± AE.
#define UPDATED(AX, AE, exit) \
	VBROADCASTSD (R11), Y5      \
	VANDPD ABS, Y5, Y6          \
	VADDPD Y4, Y6, Y6           \
	POSITIVE(Y6)                \
	VMULPD Y5, AX, Y5           \
	VADDPD Y5, Y3, Y3           \
	VANDPD ABS, Y5, Y5          \
	VANDPD ABS, Y3, Y6          \
	VADDPD Y5, Y6, Y6           \
	VMULPD TWICE, Y6, Y5        \
	VMULPD BYE, Y4, Y4          \
	VADDPD Y5, Y4, Y4           \
	VBROADCASTSD 8(R11), Y5     \
	VMULPD Y5, AE, Y5           \
	VADDPD Y5, Y4, Y4           \
	VADDPD NORMAL, Y4, Y4       \
	INRANGE(exit)

// func updated(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants, u *factor, add *Ball) (done, half int)
TEXT ·updated(SB), NOSPLIT, $0-80
	MOVQ u+48(FP), R11
	MOVQ add+56(FP), R10
	TAKE(R10)
	VMOVAPD Y3, Y12
	VMOVAPD Y4, Y13
	ADDQ $96, R10
	TAKE(R10)
	VMOVAPD Y3, Y14
	VMOVAPD Y4, Y15
	BEGIN
updatedLoop:
	CMPQ BX, CX
	JGE  updatedEnd
	LEAQ 96(SI), R10
	TAKE(SI)
	UPDATED(Y12, Y13, updatedEnd)
	SUM(Y8, Y9)
	GIVE(SI)
	TAKE(R10)
	UPDATED(Y14, Y15, updatedHalf)
	SUM(Y10, Y11)
	GIVE(R10)
	INCQ BX
	ADDQ R9, SI
	ADDQ $16, DX
	ADDQ $16, R11
	JMP  updatedLoop
updatedHalf:
	INCQ AX
updatedEnd:
	STORE
	MOVQ BX, done+64(FP)
	MOVQ AX, half+72(FP)
	RET
