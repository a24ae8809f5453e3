package bitcode

import (
	"encoding/binary"
	"fmt"
)

// malformed is the panic that ends reading.
type malformed string

func fail(format string, args ...any) { panic(malformed(fmt.Sprintf(format, args...))) }

// stream is a cursor over bits, least significant first.
type stream struct {
	data []byte
	pos  uint64 // in bits
	end  uint64 // in bits
}

// fixed reads n bits, at most 64.
func (s *stream) fixed(n uint) uint64 {
	if n == 0 {
		return 0
	}
	if n > 64 || s.end-s.pos < uint64(n) {
		fail("the stream ends within a record")
	}
	at, shift := s.pos/8, uint(s.pos%8)
	s.pos += uint64(n)
	var word uint64
	if at+8 <= uint64(len(s.data)) {
		word = binary.LittleEndian.Uint64(s.data[at:])
	} else {
		for i, b := range s.data[at:] {
			word |= uint64(b) << (8 * i)
		}
	}
	word >>= shift
	if shift+n > 64 {
		word |= uint64(s.data[at+8]) << (64 - shift)
	}
	if n < 64 {
		word &= 1<<n - 1
	}
	return word
}

// vbr reads a number in groups of n bits, the last of which has its highest bit clear.
func (s *stream) vbr(n uint) uint64 {
	more := uint64(1) << (n - 1)
	var v uint64
	for shift := uint(0); ; shift += n - 1 {
		g := s.fixed(n)
		if shift < 64 {
			v |= (g & (more - 1)) << shift
		} else if g&(more-1) != 0 {
			fail("a number has more than 64 bits")
		}
		if g&more == 0 {
			return v
		}
	}
}

// align goes on to the next word of 32 bits.
func (s *stream) align() {
	s.pos = (s.pos + 31) &^ 31
	if s.pos > s.end {
		fail("the stream ends within a block")
	}
}

// signed decodes a number whose lowest bit is its sign.
func signed(v uint64) int64 {
	if v&1 == 0 {
		return int64(v >> 1)
	}
	if v == 1 {
		return -1 << 63
	}
	return -int64(v >> 1)
}
