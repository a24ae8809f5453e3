package scalar

// Int is an integer type of MSL. Its values travel as uint64 in canonical form:
// sign-extended if the type is signed, zero-extended if not.
type Int struct {
	Bits   uint8 // 8, 16, 32 or 64
	Signed bool
}

// Canonical returns the value of the low Bits bits of x.
func (t Int) Canonical(x uint64) uint64 {
	n := 64 - t.Bits
	if t.Signed {
		return uint64(int64(x<<n) >> n)
	}
	return x << n >> n
}
