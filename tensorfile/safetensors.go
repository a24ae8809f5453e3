package tensorfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

const (
	mostSafetensors = 1 << 24 // bytes of a header
	metadata        = "__metadata__"
)

// entry describes an array in the header.
type entry struct {
	DType   Type     `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Named is an array to be written.
type Named struct {
	Name string
	Array
}

// Safetensors is a file in the format of https://github.com/huggingface/safetensors: the size
// of the header in 8 bytes, the header in JSON, the data. Where they begin is a multiple of 8, and
// so is every array's beginning if those with wider elements stand first.
func Safetensors(meta map[string]string, arrays []Named) []byte {
	header := map[string]any{}
	if len(meta) > 0 {
		header[metadata] = meta
	}
	var at int64
	for _, a := range arrays {
		end := at + int64(len(a.Data))
		header[a.Name] = entry{a.Type, append([]int{}, a.Shape...), [2]int64{at, end}}
		at = end
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err) // strings and numbers
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	for _, a := range arrays {
		file = append(file, a.Data...)
	}
	return file
}

// readSafetensors reads the header of such a file. Every byte of the data has to belong to one
// array. Arrays of types that are not known are an error when they are asked for.
func (f *File) readSafetensors(r io.ReaderAt, size int64) error {
	var first [8]byte
	if _, err := r.ReadAt(first[:], 0); err != nil {
		return errors.New("shorter than the size of a header: no .npy, .npz or .safetensors file")
	}
	n := binary.LittleEndian.Uint64(first[:])
	if n > mostSafetensors || int64(n) > size-8 {
		return fmt.Errorf("a header of %d bytes in a file of %d: no .npy, .npz or .safetensors file", n, size)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, 8); err != nil {
		return err
	}
	data := io.NewSectionReader(r, 8+int64(n), size-8-int64(n))
	return f.entries(text, data)
}

// entries enters the arrays of a header.
func (f *File) entries(text []byte, data *io.SectionReader) error {
	if !utf8.Valid(text) { // names that differ would become one
		return errors.New("header: not UTF-8")
	}
	header, err := object(text)
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(header)) {
		raw := header[name]
		if name == metadata {
			_, err := object(raw)
			if err == nil {
				err = json.Unmarshal(raw, &f.Meta)
			}
			if err != nil {
				return fmt.Errorf("header: %s: %w", metadata, err)
			}
			continue
		}
		e, err := decodeEntry(raw, data.Size())
		if err != nil {
			return fmt.Errorf("array %q: %w", name, err)
		}
		entries = append(entries, e)
		err = f.add(name, func() (Array, error) {
			a := Array{Type: e.DType, Shape: e.Shape}
			if _, err := length(e.Shape, e.DType, data.Size(), f.Most); err != nil {
				return a, err
			}
			var err error
			a.Data, err = exactly(io.NewSectionReader(data, e.Offsets[0], e.Offsets[1]-e.Offsets[0]),
				e.Offsets[1]-e.Offsets[0])
			return a, err
		})
		if err != nil {
			return err
		}
	}
	return tiled(entries, data.Size())
}

// object is an object of JSON, in which no name stands twice.
func object(text []byte) (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if t, err := decoder.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no object of JSON")
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		t, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("twice %q", name)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		members[name] = value
		if err := few(len(members) - 1); err != nil { // there may be metadata
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something behind the object of JSON")
	}
	return members, nil
}

func decodeEntry(raw []byte, size int64) (e entry, err error) {
	members, err := object(raw)
	if err != nil {
		return e, err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) { // the package json takes other spellings, too
		if name != "dtype" && name != "shape" && name != "data_offsets" {
			return e, fmt.Errorf("unknown field %q", name)
		}
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, err
	}
	first, end := e.Offsets[0], e.Offsets[1]
	if first < 0 || end < first || end > size {
		return e, fmt.Errorf("bytes %d to %d of %d", first, end, size)
	}
	if e.DType.Size() == 0 {
		return e, nil
	}
	n, err := length(e.Shape, e.DType, end-first, MaxBytes)
	if err == nil && n != end-first {
		err = fmt.Errorf("shape %v of %s in %d bytes", e.Shape, e.DType, end-first)
	}
	return e, err
}

// tiled reports data that belong to no array, or to two.
func tiled(entries []entry, size int64) error {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]))
	})
	var at int64
	for _, e := range entries {
		if e.Offsets[0] != at {
			return fmt.Errorf("an array begins at byte %d of the data, want %d", e.Offsets[0], at)
		}
		at = e.Offsets[1]
	}
	if at != size {
		return fmt.Errorf("arrays of %d bytes in data of %d", at, size)
	}
	return nil
}
