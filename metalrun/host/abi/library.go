package abi

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"metalconform/metalrun"
	"metalconform/metalrun/host"
)

var libraryFunctions = []Function{
	// The handle of a library, or 0 and the text of an error. macros are an object of JSON.
	{"library(const char *source, uint64_t version, uint64_t mode, uint64_t fast, const char *macros, char *error, " +
		"uint64_t room)", func(a arguments) uint64 {
		o := host.LibraryOptions{Version: metalrun.Version(a.int(1)),
			Math: metalrun.Math{Mode: metalrun.MathMode(a.word(2)), FastFunctions: a.word(3) != 0}}
		if err := json.Unmarshal([]byte(a.text(4)), &o.Macros); err != nil {
			a.put(5, err.Error())
			return 0
		}
		l, err := process().Compile(a.text(0), o)
		if err != nil {
			a.put(5, err.Error())
			return 0
		}
		return handle(l)
	}},
	{"library_names(uint64_t library, char *out, uint64_t room)", func(a arguments) uint64 {
		return a.put(1, strings.Join(object[*host.Library](a.word(0)).Names(), "\n"))
	}},
	// A line for each function constant: index, name and type.
	{"library_constants(uint64_t library, char *out, uint64_t room)", func(a arguments) uint64 {
		var lines []string
		for _, c := range object[*host.Library](a.word(0)).FunctionConstants() {
			lines = append(lines, fmt.Sprintf("%d\t%s\t%s", c.Index, c.Name, c.Type))
		}
		return a.put(1, strings.Join(lines, "\n"))
	}},
	// values are count records of three numbers: the index, a MTLDataType, and the value.
	{"new_function(uint64_t library, const char *name, const void *values, uint64_t count, char *error, uint64_t room)",
		func(a arguments) uint64 {
			constants, err := constants(a)
			var f *host.Function
			if err == nil {
				f, err = object[*host.Library](a.word(0)).Function(a.text(1), constants)
			}
			if err != nil {
				a.put(4, err.Error())
				return 0
			}
			return handle(f)
		}},
	{"pipeline(uint64_t function, uint64_t threads, char *error, uint64_t room)", func(a arguments) uint64 {
		p, err := object[*host.Function](a.word(0)).Pipeline(a.int(1))
		if err != nil {
			a.put(2, err.Error())
			return 0
		}
		return handle(p)
	}},
	{"pipeline_threads(uint64_t pipeline)", func(a arguments) uint64 {
		return uint64(object[*host.Pipeline](a.word(0)).MaxThreads())
	}},
	{"pipeline_memory(uint64_t pipeline)", func(a arguments) uint64 {
		return uint64(object[*host.Pipeline](a.word(0)).StaticMemory())
	}},
}

const recordBytes = 24

// constants are the values of a call of function.
func constants(a arguments) (map[int]any, error) {
	values := map[int]any{}
	le := binary.LittleEndian
	for i := range a.int(3) {
		record := unsafe.Slice((*byte)(unsafe.Add(a.pointer(2), recordBytes*i)), recordBytes)
		v, err := constant(le.Uint64(record[8:]), le.Uint64(record[16:]))
		if err != nil {
			return nil, err
		}
		values[int(le.Uint64(record))] = v
	}
	return values, nil
}

// Members of the enumeration MTLDataType.
const (
	typeFloat  = 3
	typeInt    = 29
	typeUInt   = 33
	typeShort  = 37
	typeUShort = 41
	typeChar   = 45
	typeUChar  = 49
	typeBool   = 53
	typeLong   = 81
	typeULong  = 85
)

// constant is the value of a function constant.
func constant(kind, bits uint64) (any, error) {
	switch kind {
	case typeFloat:
		return math.Float32frombits(uint32(bits)), nil
	case typeInt:
		return int32(bits), nil
	case typeUInt:
		return uint32(bits), nil
	case typeShort:
		return int16(bits), nil
	case typeUShort:
		return uint16(bits), nil
	case typeChar:
		return int8(bits), nil
	case typeUChar:
		return uint8(bits), nil
	case typeBool:
		return bits&0xff != 0, nil
	case typeLong:
		return int64(bits), nil
	case typeULong:
		return bits, nil
	}
	return nil, fmt.Errorf("function constant of MTLDataType %d: only scalars other than half are supported", kind)
}
