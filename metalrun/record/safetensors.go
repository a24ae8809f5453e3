package record

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// tensor is one array of a file.
type tensor struct {
	name, dtype string
	data        []byte
}

// sizes are the bytes of an element by dtype.
var sizes = map[string]int{"U8": 1, "I8": 1, "BOOL": 1, "U16": 2, "I16": 2, "F16": 2, "BF16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8}

const (
	mostHeader = 1 << 20 // bytes
	metadata   = "__metadata__"
)

// entry describes a tensor in the header.
type entry struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// encode is a file in the format of https://github.com/huggingface/safetensors: the size
// of the header in 8 bytes, the header in JSON, the data.
func encode(meta map[string]string, tensors []tensor) []byte {
	header := map[string]any{metadata: meta}
	at := 0
	for _, t := range tensors {
		header[t.name] = entry{t.dtype, []int{len(t.data) / sizes[t.dtype]}, [2]int{at, at + len(t.data)}}
		at += len(t.data)
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err) // strings and numbers
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	for _, t := range tensors {
		file = append(file, t.data...)
	}
	return file
}

// decode reads such a file. Every byte of the data has to belong to one tensor.
func decode(file []byte) (meta map[string]string, tensors map[string]tensor, err error) {
	if len(file) < 8 {
		return nil, nil, errors.New("shorter than the size of a header")
	}
	n := binary.LittleEndian.Uint64(file)
	if n > mostHeader || n > uint64(len(file)-8) {
		return nil, nil, fmt.Errorf("a header of %d bytes in a file of %d", n, len(file))
	}
	text, data := file[8:8+n], file[8+n:]
	var header map[string]json.RawMessage
	if err := json.Unmarshal(text, &header); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	if raw, ok := header[metadata]; ok {
		if err := json.Unmarshal(raw, &meta); err != nil {
			return nil, nil, fmt.Errorf("header: %s: %w", metadata, err)
		}
		delete(header, metadata)
	}
	tensors = map[string]tensor{}
	var entries []entry
	for name, raw := range header {
		e, err := decodeEntry(raw, len(data))
		if err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		entries = append(entries, e)
		tensors[name] = tensor{name, e.DType, data[e.Offsets[0]:e.Offsets[1]]}
	}
	return meta, tensors, tiled(entries, len(data))
}

func decodeEntry(raw []byte, size int) (e entry, err error) {
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&e); err != nil {
		return e, err
	}
	per, ok := sizes[e.DType]
	if !ok {
		return e, fmt.Errorf("dtype %q is not known", e.DType)
	}
	first, end := e.Offsets[0], e.Offsets[1]
	if first < 0 || end < first || end > size {
		return e, fmt.Errorf("bytes %d to %d of %d", first, end, size)
	}
	count := 1
	for _, n := range e.Shape {
		if n < 0 || n > 0 && count > size/n {
			return e, fmt.Errorf("shape %v of %d bytes", e.Shape, end-first)
		}
		count *= n
	}
	if count != (end-first)/per || (end-first)%per != 0 {
		return e, fmt.Errorf("shape %v of %s in %d bytes", e.Shape, e.DType, end-first)
	}
	return e, nil
}

// tiled reports data that belong to no tensor, or to two.
func tiled(entries []entry, size int) error {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]))
	})
	at := 0
	for _, e := range entries {
		if e.Offsets[0] != at {
			return fmt.Errorf("a tensor begins at byte %d of the data, want %d", e.Offsets[0], at)
		}
		at = e.Offsets[1]
	}
	if at != size {
		return fmt.Errorf("tensors of %d bytes in data of %d", at, size)
	}
	return nil
}
