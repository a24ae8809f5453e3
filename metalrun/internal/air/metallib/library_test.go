package metallib

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// library is a small library: one kernel with a module of four bytes.
func library(kind byte) []byte {
	tag := func(name string, value []byte) []byte {
		return append(binary.LittleEndian.AppendUint16([]byte(name), uint16(len(value))), value...)
	}
	u64 := func(v ...uint64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
		return b
	}
	entry := bytes.Join([][]byte{tag("NAME", []byte("add\x00")), tag("TYPE", []byte{2}), tag("MDSZ", u64(4)),
		tag("OFFT", u64(0, 0, 0)), tag("VERS", []byte{2, 0, 8, 0, 3, 0, 2, 0}), []byte("ENDT")}, nil)
	table := binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0}, uint32(len(entry)+4))
	table = append(table, entry...)
	extension := append(tag("UUID", make([]byte, 16)), "ENDT"...)
	code := uint64(headerSize + len(table) + len(extension))
	head := append([]byte(magic), 1, 0x80, 2, 0, 9, 0, kind, 0x81, 15, 0, 1, 0)
	head = append(head, u64(code+4, headerSize, uint64(len(table)-4), code, 0, code, 0, code, 4)...)
	return append(joined(head, table, extension), 'B', 'C', 0xc0, 0xde)
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestRead(t *testing.T) {
	list, err := Read(library(executable))
	if err != nil {
		t.Fatal(err)
	}
	l := list[0]
	if l.Platform != "macOS" || l.OS != (Version{15, 1}) || l.Format != (Version{2, 9}) || l.UUID == "" {
		t.Errorf("the header is %+v", l)
	}
	if len(l.Functions) != 1 {
		t.Fatalf("%d functions", len(l.Functions))
	}
	f := l.Functions[0]
	if f.Name != "add" || f.Kind != Kernel || f.AIR != (Version{2, 8}) || f.Language != (Version{3, 2}) ||
		string(f.Module) != "BC\xc0\xde" {
		t.Errorf("the function is %+v", f)
	}
}

func TestFat(t *testing.T) {
	one := library(executable)
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		file := order.AppendUint32(nil, 0xcbfebabe)
		file = order.AppendUint32(file, 2)
		for i, size := range []int{len(one), 8} {
			for _, v := range []uint32{0x1000013, 0, uint32(48 + i*len(one)), uint32(size), 0} {
				file = order.AppendUint32(file, v)
			}
		}
		list, err := Read(joined(file, one, make([]byte, 8)))
		if err != nil || len(list) != 1 || list[0].Functions[0].Name != "add" {
			t.Errorf("%v: %v, %v", order, list, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		data []byte
		want string
	}{
		{library(2), "dynamic library"}, {library(3), "symbol companion"}, {nil, "no Metal library"},
		{library(0)[:100], "cut off"}, {[]byte("\xcb\xfe\xba\xbe\x00\x00\x00\x00"), "no slice"},
		{[]byte("\xcb\xfe\xba\xbe\xff\x00\x00\x00"), "slices"},
	} {
		if _, err := Read(test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v: want %s", err, test.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(library(executable))
	f.Add(joined([]byte("\xcb\xfe\xba\xbe\x00\x00\x00\x01"), make([]byte, 20), library(executable)))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Read(data)
		if err == nil && len(list) == 0 {
			t.Error("neither libraries nor an error")
		}
	})
}
