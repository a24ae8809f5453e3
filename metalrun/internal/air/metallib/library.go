package metallib

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Library is a library for one platform.
type Library struct {
	Platform     string // macOS, iOS, …
	OS           Version
	Format       Version // of the container
	UUID         string
	Functions    []Function
	SourcesBytes int // that the library has of its sources
}

// Version is a major and a minor version.
type Version struct{ Major, Minor int }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Function is an entry of the table of functions.
type Function struct {
	Name     string
	Kind     Kind
	Hash     []byte // SHA-256 of the module, nil if absent
	AIR      Version
	Language Version
	Module   []byte // bitcode
}

// Kind is the kind of a function.
type Kind uint8

// Kernel is the kind of a compute function.
const Kernel Kind = 2

var kinds = [...]string{"vertex", "fragment", "kernel", "unqualified", "visible", "extern", "intersection", "mesh",
	"object"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Types of libraries, by the byte of the header.
var types = [...]string{"executable library", "Core Image library", "dynamic library", "symbol companion"}

// Types that can be read: those whose functions are whole.
const (
	executable = 0
	coreImage  = 1
)

var platforms = map[byte]string{0x81: "macOS", 0x82: "iOS", 0x83: "tvOS", 0x84: "watchOS", 0x85: "bridgeOS",
	0x86: "Mac Catalyst", 0x87: "iOS simulator", 0x88: "tvOS simulator", 0x89: "watchOS simulator", 0x8b: "visionOS",
	0x8c: "visionOS simulator"}

const (
	magic      = "MTLB"
	headerSize = 88
	maxSlices  = 64
	maxTable   = 1 << 20 // functions

	maxTableBytes = 1 << 32
)

// Is reports whether a file begins as a library does.
func Is(data string) bool { return strings.HasPrefix(data, magic) || fatOrder(data) != nil }

// fatOrder is the byte order of a fat file, nil for other files.
func fatOrder(data string) binary.ByteOrder {
	switch {
	case strings.HasPrefix(data, "\xcb\xfe\xba\xbe"):
		return binary.BigEndian
	case strings.HasPrefix(data, "\xbe\xba\xfe\xcb"):
		return binary.LittleEndian
	}
	return nil
}

// Read reads the slices of a file.
func Read(data []byte) ([]*Library, error) {
	order := fatOrder(string(data[:min(len(data), 4)]))
	if order == nil {
		l, err := readSlice(data)
		if err != nil {
			return nil, err
		}
		return []*Library{l}, nil
	}
	if len(data) < 8 {
		return nil, errors.New("the file ends within its table of slices")
	}
	n := order.Uint32(data[4:])
	if n > maxSlices || uint64(len(data)) < 8+20*uint64(n) {
		return nil, fmt.Errorf("the file has a table of %d slices", n)
	}
	var list []*Library
	for i := range int(n) {
		entry := data[8+20*i:]
		from, size := uint64(order.Uint32(entry[8:])), uint64(order.Uint32(entry[12:]))
		slice, err := part(data, from, size)
		if err != nil {
			return nil, fmt.Errorf("slice %d: %w", i, err)
		}
		if !strings.HasPrefix(string(slice[:min(len(slice), 4)]), magic) {
			continue // code of a GPU
		}
		l, err := readSlice(slice)
		if err != nil {
			return nil, fmt.Errorf("slice %d: %w", i, err)
		}
		list = append(list, l)
	}
	if len(list) == 0 {
		return nil, errors.New("no slice of the file has AIR: compile a library with `xcrun metal`")
	}
	return list, nil
}

// part is a range of bytes.
func part(data []byte, from, size uint64) ([]byte, error) {
	if from > uint64(len(data)) || size > uint64(len(data))-from {
		return nil, fmt.Errorf("%d bytes at %d are beyond the end of the file", size, from)
	}
	return data[from : from+size], nil
}

func readSlice(data []byte) (*Library, error) {
	if len(data) < headerSize || string(data[:4]) != magic {
		return nil, errors.New("the file is no Metal library")
	}
	if t := data[10]; t != executable && t != coreImage {
		name := fmt.Sprintf("library of type %d", t)
		if int(t) < len(types) {
			name = types[t]
		}
		return nil, fmt.Errorf("the file is a %s: its functions are not complete; give the executable library", name)
	}
	u16, u64 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint64
	l := &Library{Platform: platforms[data[11]], OS: Version{int(u16(data[12:])), int(u16(data[14:]))},
		Format: Version{int(u16(data[6:])), int(u16(data[8:]))}}
	l.Platform = cmp.Or(l.Platform, fmt.Sprintf("platform %#x", data[11]))
	if size := u64(data[16:]); size < headerSize || size > uint64(len(data)) {
		return nil, fmt.Errorf("the library has %d bytes, and its header says %d: it is cut off", len(data), size)
	}
	// the size that the header has does not count the number of functions
	table, err := part(data, u64(data[24:]), min(u64(data[32:]), maxTableBytes)+4)
	if err != nil {
		return nil, fmt.Errorf("table of functions: %w", err)
	}
	code, err := part(data, u64(data[72:]), u64(data[80:]))
	if err != nil {
		return nil, fmt.Errorf("bitcode: %w", err)
	}
	if err := l.functions(table, code); err != nil {
		return nil, err
	}
	l.extension(data[u64(data[24:])+uint64(len(table)):])
	return l, nil
}

// functions reads the table.
func (l *Library) functions(table, code []byte) error {
	if len(table) < 4 {
		return errors.New("the table of functions is empty")
	}
	n := binary.LittleEndian.Uint32(table)
	table = table[4:]
	if n > maxTable || uint64(len(table)) < 4*uint64(n) {
		return fmt.Errorf("the table of %d bytes has %d functions", len(table), n)
	}
	for i := range int(n) {
		if len(table) < 4 {
			return fmt.Errorf("the table ends before function %d of %d", i, n)
		}
		size := binary.LittleEndian.Uint32(table)
		if size < 4 || uint64(size) > uint64(len(table)) {
			return fmt.Errorf("the entry of function %d has %d bytes", i, size)
		}
		f, err := entry(table[4:size], code)
		if err != nil {
			return fmt.Errorf("function %d: %w", i, err)
		}
		l.Functions = append(l.Functions, f)
		table = table[size:]
	}
	return nil
}

// tags calls f for each tag of a list. It returns false if the list does not end.
func tags(data []byte, f func(tag string, value []byte)) bool {
	for len(data) >= 4 {
		tag := string(data[:4])
		if tag == "ENDT" {
			return true
		}
		if len(data) < 6 {
			return false
		}
		n := int(binary.LittleEndian.Uint16(data[4:]))
		if len(data) < 6+n {
			return false
		}
		f(tag, data[6:6+n])
		data = data[6+n:]
	}
	return false
}

// entry reads the tags of a function.
func entry(list, code []byte) (f Function, err error) {
	var offset, size uint64
	found := map[string]bool{}
	ended := tags(list, func(tag string, v []byte) {
		found[tag] = true
		switch {
		case tag == "NAME":
			f.Name = strings.TrimRight(string(v), "\x00")
		case tag == "TYPE" && len(v) > 0:
			f.Kind = Kind(v[0])
		case tag == "HASH":
			f.Hash = v
		case tag == "MDSZ" && len(v) >= 8:
			size = binary.LittleEndian.Uint64(v)
		case tag == "OFFT" && len(v) >= 24:
			offset = binary.LittleEndian.Uint64(v[16:])
		case tag == "VERS" && len(v) >= 8:
			at := func(i int) int { return int(binary.LittleEndian.Uint16(v[2*i:])) }
			f.AIR, f.Language = Version{at(0), at(1)}, Version{at(2), at(3)}
		}
	})
	if !ended || f.Name == "" || !found["MDSZ"] || !found["OFFT"] {
		return f, fmt.Errorf("the entry %q has no end, name, size or offset", f.Name)
	}
	f.Module, err = part(code, offset, size)
	return f, err
}

// extension reads what follows the table in newer libraries.
func (l *Library) extension(list []byte) {
	tags(list, func(tag string, v []byte) {
		switch {
		case tag == "UUID" && len(v) == 16:
			l.UUID = fmt.Sprintf("%X-%X-%X-%X-%X", v[:4], v[4:6], v[6:8], v[8:10], v[10:])
		case (tag == "HSRD" || tag == "HSRC") && len(v) >= 16:
			l.SourcesBytes = int(min(binary.LittleEndian.Uint64(v[8:]), 1<<40))
		}
	})
}
