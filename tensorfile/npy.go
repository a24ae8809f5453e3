package tensorfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

const (
	magicNPY     = "\x93NUMPY"
	mostNPY      = 1 << 16 // bytes of a header; NumPy itself reads 10,000
	versionBytes = 2
)

// header is what a .npy file says of its array.
type header struct {
	descr   string
	fortran bool
	shape   []int
}

// readNPY reads an array in the format of numpy.lib.format, versions 1 to 3: a magic string,
// the version, the size of the header, the header as a dictionary of Python, the elements.
// size is that of all, most what the elements may have.
func readNPY(r io.Reader, size, most int64) (Array, error) {
	h, used, err := readHeader(r)
	if err != nil {
		return Array{}, err
	}
	t, swapped, err := npyType(h.descr)
	if err != nil {
		return Array{}, err
	}
	a := Array{Type: t, Shape: h.shape}
	want, err := length(h.shape, t, size-used, most)
	if err != nil {
		return a, err
	}
	if want != size-used {
		return a, fmt.Errorf("%d bytes of elements, where %v of %s are %d", size-used, h.shape, t, want)
	}
	if a.Data, err = exactly(r, want); err != nil {
		return a, err
	}
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.EOF) { // the end has the checksum of an archive
		return a, fmt.Errorf("behind its elements: %w", err)
	}
	if swapped {
		swap(a.Data, t.Size())
	}
	if h.fortran && len(a.Shape) > 1 {
		a.Data = rowMajor(a.Data, a.Shape, t.Size())
	}
	return a, nil
}

// readHeader reads what stands before the elements, and counts its bytes.
func readHeader(r io.Reader) (h header, used int64, err error) {
	var start [len(magicNPY) + versionBytes]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(magicNPY)]) != magicNPY {
		return h, 0, errors.New("it does not begin as a .npy file")
	}
	var n int64
	switch version := start[len(magicNPY)]; version {
	case 1:
		var short uint16
		err = binary.Read(r, binary.LittleEndian, &short)
		n, used = int64(short), int64(len(start))+2
	case 2, 3:
		var long uint32
		err = binary.Read(r, binary.LittleEndian, &long)
		n, used = int64(long), int64(len(start))+4
	default:
		return h, 0, fmt.Errorf("version %d of the .npy format: 1 to 3 are known", version)
	}
	if err != nil {
		return h, 0, errors.New("it ends in the header")
	}
	if n > mostNPY {
		return h, 0, fmt.Errorf("a header of %d bytes: at most %d are read", n, mostNPY)
	}
	text, err := io.ReadAll(io.LimitReader(r, n))
	if err != nil || int64(len(text)) < n {
		return h, 0, errors.New("it ends in the header")
	}
	h, err = parseHeader(string(text))
	return h, used + n, err
}

// npyType is the element type of a descr, such as <f4.
func npyType(descr string) (t Type, swapped bool, err error) {
	t, ok := map[string]Type{
		"b1": Bool, "u1": U8, "i1": I8, "u2": U16, "i2": I16, "u4": U32, "i4": I32, "u8": U64, "i8": I64,
		"f1": E5M2, // as ml_dtypes writes it
		"f2": F16, "f4": F32, "f8": F64, "V1": Raw8, "V2": Raw16, "V4": Raw32, "V8": Raw64,
	}[strings.TrimLeft(descr, "<>|")]
	if !ok || len(descr) != 3 {
		return t, false, fmt.Errorf("elements of type %q: want booleans, integers or floats of at most 8 bytes", descr)
	}
	return t, descr[0] == '>', nil
}

// swap turns big-endian elements into little-endian.
func swap(data []byte, size int) {
	for e := range slices.Chunk(data, size) {
		slices.Reverse(e)
	}
}

// rowMajor are elements whose first axis varies fastest in the other order.
func rowMajor(data []byte, shape []int, size int) []byte {
	out := make([]byte, 0, len(data))
	strides, stride := make([]int, len(shape)), size
	for i, d := range shape {
		strides[i] = stride
		stride *= d
	}
	at, from := make([]int, len(shape)), 0
	for len(out) < len(data) {
		out = append(out, data[from:from+size]...)
		for i := len(shape) - 1; i >= 0; i-- {
			at[i]++
			if from += strides[i]; at[i] < shape[i] {
				break
			}
			from -= at[i] * strides[i]
			at[i] = 0
		}
	}
	return out
}

// parseHeader reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, the keys in any
// order.
func parseHeader(text string) (h header, err error) {
	p := &literal{rest: strings.TrimRight(text, " \n\x00")}
	seen := map[string]bool{}
	p.want("{")
	for p.err == nil && !p.accept("}") {
		key := p.text()
		p.want(":")
		if seen[key] {
			p.fail("twice %q", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			h.descr = p.text()
		case "fortran_order":
			h.fortran = p.truth()
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail("unknown key %q", key)
		}
		if !p.accept(",") && !strings.HasPrefix(p.rest, "}") {
			p.fail("want , or } at %.20q", p.rest)
		}
	}
	if p.err == nil && (p.rest != "" || len(seen) != 3) {
		p.fail("want descr, fortran_order and shape")
	}
	if p.err != nil {
		return h, fmt.Errorf("header %.60q: %w", text, p.err)
	}
	return h, nil
}

// literal is a literal of Python on its way to be read.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// accept takes a token, if it comes next.
func (p *literal) accept(token string) bool {
	p.rest = strings.TrimLeft(p.rest, " \n\t")
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok && p.err == nil {
		p.rest = strings.TrimLeft(rest, " \n\t")
	}
	return ok && p.err == nil
}

func (p *literal) want(token string) {
	if !p.accept(token) {
		p.fail("want %s at %.20q", token, p.rest)
	}
}

// text is a string. Structured types are lists and other objects of Python, which are refused.
func (p *literal) text() string {
	p.accept("")
	if p.rest == "" || !bytes.ContainsAny([]byte(`'"`), p.rest[:1]) {
		p.fail("want a string at %.20q: arrays of records are not read", p.rest)
		return ""
	}
	s, rest, ok := strings.Cut(p.rest[1:], p.rest[:1])
	if !ok || strings.Contains(s, `\`) {
		p.fail("want a string at %.20q", p.rest)
	}
	p.rest = rest
	return s
}

func (p *literal) truth() bool {
	if p.accept("True") {
		return true
	}
	p.want("False")
	return false
}

// tuple are lengths. Python 2 wrote an L after them.
func (p *literal) tuple() []int {
	shape := []int{}
	p.want("(")
	for p.err == nil && !p.accept(")") {
		digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil || len(shape) == mostDimensions {
			p.fail("want at most 64 lengths at %.20q", p.rest)
			break
		}
		shape, p.rest = append(shape, n), p.rest[len(digits):]
		p.accept("L")
		if !p.accept(",") && !strings.HasPrefix(p.rest, ")") {
			p.fail("want , or ) at %.20q", p.rest)
		}
	}
	return shape
}
