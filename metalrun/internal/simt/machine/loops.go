package machine

// The loops that have to do with lanes and not with arithmetic, which is in
// package scalar. Every loop writes len(d) lanes; operands are at least as long.

// Fill makes all lanes one value.
func Fill(d []uint32, v uint32) {
	for i := range d {
		d[i] = v
	}
}

// Lane is a bool's lane value.
func Lane(b bool) uint32 {
	var x uint32
	if b {
		x = 1
	}
	return -x
}
