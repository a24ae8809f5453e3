package differential

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Difference is the first word of buffers that differs from what the simulator has, "" if none does. Any NaN is as good
// as another.
func Difference(got, want [][]byte) string {
	for i := range want {
		if bytes.Equal(got[i], want[i]) {
			continue
		}
		for j := 0; j < len(want[i]); j += 4 {
			end := min(j+4, len(want[i]))
			if g, w := got[i][j:end], want[i][j:end]; !bytes.Equal(g, w) && !bothNaN(g, w) {
				return fmt.Sprintf("binding %d, byte %d: clang has %x, the simulator %x", i, j, g, w)
			}
		}
	}
	return ""
}

// bothNaN reports whether two words hold NaN, or halves each of which is equal or NaN.
func bothNaN(a, b []byte) bool {
	const float, half, bfloat = 0x7f800000, 0x7c00, 0x7f80
	if len(a) == 4 && isNaN(binary.LittleEndian.Uint32(a), float) && isNaN(binary.LittleEndian.Uint32(b), float) {
		return true
	}
	for k := 0; k+2 <= len(a); k += 2 {
		x, y := uint32(binary.LittleEndian.Uint16(a[k:])), uint32(binary.LittleEndian.Uint16(b[k:]))
		if x != y && !(isNaN(x, half) && isNaN(y, half)) && !(isNaN(x, bfloat) && isNaN(y, bfloat)) {
			return false
		}
	}
	return len(a)%2 == 0
}

// isNaN reports whether bits are those of a NaN, in a format with that infinity. The sign is before it.
func isNaN(bits, infinity uint32) bool {
	sign := uint32(1) << 15
	if infinity > sign {
		sign = 1 << 31
	}
	return bits&^sign > infinity
}
