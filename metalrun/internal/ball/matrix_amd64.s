#include "textflag.h"

// A row of d at a time, in two halves of four elements: Y0 and Y1 are the sums, Y2 and Y3 what they
// are off by before they are rounded, Y4 and Y5 the sums of the sizes. Y15 is the mask of a size, Y14
// the roundings as a part of that, Y13 what may underflow, Y12 where f32 overflows. SI is
// the row of a, DX is b. |X| + E of b is on the stack.

// CERTAIN adds products with an element P of a half row of b at B, none of which is off.
#define CERTAIN(B, X, SIZE) \
	VMULPD B, Y6, Y9     \
	VADDPD Y9, X, X      \
	VANDPD Y15, Y9, Y9   \
	VADDPD Y9, SIZE, SIZE

#define CERTAINS(k) \
	VBROADCASTSD (8*k)(SI), Y6        \
	CERTAIN((64*k)(DX), Y0, Y4)       \
	CERTAIN((64*k+32)(DX), Y1, Y5)

// PRODUCT is the same of elements that may be off: those of b, at B, by E, F are their |X| + E.
#define PRODUCT(B, E, F, X, SPREAD, SIZE) \
	VMULPD B, Y6, Y9           \
	VADDPD Y9, X, X            \
	VANDPD Y15, Y9, Y9         \
	VMULPD E, Y8, Y10          \
	VMULPD F, Y7, Y11          \
	VADDPD Y11, Y10, Y10       \
	VADDPD Y10, SPREAD, SPREAD \
	VADDPD Y10, Y9, Y9         \
	VADDPD Y9, SIZE, SIZE

#define PRODUCTS(k) \
	VBROADCASTSD (8*k)(SI), Y6        \
	VBROADCASTSD (8*k+512)(SI), Y7    \
	VANDPD       Y15, Y6, Y8          \
	PRODUCT((64*k)(DX), (64*k+512)(DX), (64*k)(SP), Y0, Y2, Y4) \
	PRODUCT((64*k+32)(DX), (64*k+544)(DX), (64*k+32)(SP), Y1, Y3, Y5)

// SIZED puts |X| + E of a half row of b on the stack, and the bits of E into Y1.
#define SIZED(o) \
	VMOVUPD (o+512)(DX), Y2  \
	VORPD   Y2, Y1, Y1       \
	VANDPD  (o)(DX), Y15, Y3 \
	VADDPD  Y2, Y3, Y3       \
	VMOVUPD Y3, (o)(SP)

// FINISH rounds a half row, writes it at o of d, and sets bit CX of R9 if some of it may be beyond the
// range. What underflows on the way to a sum of some terms is added.
#define FINISH(X, SPREAD, SIZE, o) \
	VMULPD    Y14, SIZE, Y6        \
	VADDPD    Y6, SPREAD, SPREAD   \
	VADDPD    Y6, SIZE, Y9         \
	VCMPPD    $0x11, Y12, Y9, Y9   \
	VXORPD    Y10, Y10, Y10        \
	VCMPPD    $4, Y10, SIZE, Y10   \
	VANDPD    Y13, Y10, Y10        \
	VADDPD    Y10, SPREAD, SPREAD  \
	VMOVUPD   X, (o)(DI)           \
	VMOVUPD   SPREAD, (o+512)(DI)  \
	VMOVMSKPD Y9, R10              \
	XORL      R11, R11             \
	CMPL      R10, $15             \
	SETNE     R11                  \
	SHLQ      CX, R11              \
	ORQ       R11, R9              \
	INCQ      CX

// func tiles(d, a, b, c *Matrix, k *tileConstants) (left uint64)
TEXT ·tiles(SB), 0, $512-48
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), BX
	MOVQ k+32(FP), R8
	VBROADCASTSD 0(R8), Y14
	VBROADCASTSD 8(R8), Y13
	VBROADCASTSD 16(R8), Y12
	VPCMPEQQ Y15, Y15, Y15
	VPSRLQ   $1, Y15, Y15
	VXORPD   Y1, Y1, Y1
	SIZED(0)
	SIZED(32)
	SIZED(64)
	SIZED(96)
	SIZED(128)
	SIZED(160)
	SIZED(192)
	SIZED(224)
	SIZED(256)
	SIZED(288)
	SIZED(320)
	SIZED(352)
	SIZED(384)
	SIZED(416)
	SIZED(448)
	SIZED(480)
	XORQ R9, R9
	XORQ CX, CX
	VPTEST Y1, Y1
	SETNE R12       // b is off
	MOVQ $8, R13
row:
	VMOVUPD (BX), Y0
	VMOVUPD 32(BX), Y1
	VMOVUPD 512(BX), Y2
	VMOVUPD 544(BX), Y3
	VANDPD  Y15, Y0, Y4
	VANDPD  Y15, Y1, Y5
	VADDPD  Y2, Y4, Y4
	VADDPD  Y3, Y5, Y5
	VMOVUPD 512(SI), Y6
	VORPD   544(SI), Y6, Y6
	VPTEST  Y6, Y6
	JNE     products
	TESTB   R12, R12
	JNE     products
	CERTAINS(0)
	CERTAINS(1)
	CERTAINS(2)
	CERTAINS(3)
	CERTAINS(4)
	CERTAINS(5)
	CERTAINS(6)
	CERTAINS(7)
	JMP finish
products:
	PRODUCTS(0)
	PRODUCTS(1)
	PRODUCTS(2)
	PRODUCTS(3)
	PRODUCTS(4)
	PRODUCTS(5)
	PRODUCTS(6)
	PRODUCTS(7)
finish:
	FINISH(Y0, Y2, Y4, 0)
	FINISH(Y1, Y3, Y5, 32)
	ADDQ $64, SI
	ADDQ $64, BX
	ADDQ $64, DI
	DECQ R13
	JNE  row
	VZEROUPPER
	MOVQ R9, left+40(FP)
	RET
