package tensorfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the size of the largest array that is read, unless whoever reads sets another bound.
const MaxBytes = 1 << 30

const (
	mostDimensions = 64   // NumPy's own limit
	mostName       = 1024 // bytes
	mostArrays     = 1 << 15
	mostListed     = 20 // names that a message has
)

// File is a file whose header has been read. Its arrays are read one by one.
type File struct {
	Names []string          // of the arrays in order; one empty name in a .npy file
	Meta  map[string]string // that a .safetensors file says of itself
	Most  int64             // bytes that an array may have

	Archive bool                    // it is one, whose members may be deflated
	Expand  func(bytes int64) error // refuses bytes that a member becomes, before it is read; nil: never
	read    map[string]func() (Array, error)
}

// Array reads the array called name.
func (f *File) Array(name string) (Array, error) {
	read, ok := f.read[name]
	if len(f.Names) == 0 {
		return Array{}, fmt.Errorf("no array is called %q: the file has none", name)
	}
	if !ok {
		return Array{}, fmt.Errorf("no array is called %q: there are %s", name, Listed(f.Names))
	}
	a, err := read()
	if err != nil && name != "" {
		return a, fmt.Errorf("array %q: %w", name, err)
	}
	return a, err
}

// Listed is names for a message, the first of very many.
func Listed(names []string) string {
	var list []string
	for _, name := range names[:min(len(names), mostListed)] {
		if quoted := strconv.Quote(name); name == "" || quoted != `"`+name+`"` {
			name = quoted
		}
		list = append(list, name)
	}
	if left := len(names) - mostListed; left > 0 {
		list = append(list, fmt.Sprint(left, " more"))
	}
	return strings.Join(list, ", ")
}

// add enters an array.
func (f *File) add(name string, read func() (Array, error)) error {
	if err := few(len(f.Names) + 1); err != nil {
		return err
	}
	if len(name) > mostName {
		return fmt.Errorf("an array has a name of %d bytes, want at most %d", len(name), mostName)
	}
	if !utf8.ValidString(name) { // could not be written again
		return fmt.Errorf("an array is called %q, which is not UTF-8", name)
	}
	if _, twice := f.read[name]; twice {
		return fmt.Errorf("two arrays are called %q", name)
	}
	f.Names, f.read[name] = append(f.Names, name), read
	return nil
}

// few bounds the arrays of a file.
func few(arrays int) error {
	if arrays > mostArrays {
		return fmt.Errorf("more than %d arrays: write several files, no flag raises this", mostArrays)
	}
	return nil
}

// Read reads the header of a file of size bytes, whose format its first bytes say.
func Read(r io.ReaderAt, size int64) (*File, error) {
	f := &File{Most: MaxBytes, read: map[string]func() (Array, error){}}
	var first [9]byte
	n, err := r.ReadAt(first[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch magic := first[:n]; {
	// whatever its length looks like
	case n == len(first) && first[8] == '{' && binary.LittleEndian.Uint64(first[:]) <= uint64(max(size, 0)):
		err = f.readSafetensors(r, size)
	case bytes.HasPrefix(magic, []byte(magicNPY)):
		err = f.add("", func() (Array, error) { return readNPY(io.NewSectionReader(r, 0, size), size, f.Most) })
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")), bytes.HasPrefix(magic, []byte("PK\x05\x06")):
		err = f.readNPZ(r, size)
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		err = errors.New("compressed by gzip: decompress it first")
	case bytes.HasPrefix(magic, []byte("\x80\x02")), bytes.HasPrefix(magic, []byte("\x80\x04")):
		err = errors.New("a pickle of Python: save the arrays as .safetensors or .npz")
	default:
		err = f.readSafetensors(r, size)
	}
	slices.Sort(f.Names)
	return f, err
}

// ReadSafetensors reads the header of a .safetensors file, whatever its first bytes look like: its arrays take no more
// than the file does, while those of an archive may take a thousand times as much.
func ReadSafetensors(r io.ReaderAt, size int64) (*File, error) {
	f := &File{Most: MaxBytes, read: map[string]func() (Array, error){}}
	err := f.readSafetensors(r, size)
	slices.Sort(f.Names)
	return f, err
}

// Open reads the header of a file of a directory, and has done reads what it needs of it.
func Open(dir fs.FS, name string, do func(*File) error) (err error) {
	info, err := fs.Stat(dir, name) // opening a pipe would block
	if err != nil {
		return named(name, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", name)
	}
	file, err := dir.Open(name)
	if err != nil {
		return named(name, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	at, ok := file.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("%s: cannot be read at any place", name)
	}
	f, err := Read(at, info.Size())
	if err == nil {
		err = do(f)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// named is an error of a file system without the name of the call, such as statat.
func named(name string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", name, failed.Err)
	}
	return err
}

// length is the number of bytes that the elements of a shape have, if there are so many and no more than most.
func length(shape []int, t Type, limit, most int64) (bytes int64, err error) {
	if t.Size() == 0 {
		return 0, fmt.Errorf("dtype %.40q is not known", t)
	}
	if len(shape) > mostDimensions {
		return 0, fmt.Errorf("a shape of %d dimensions, want at most %d", len(shape), mostDimensions)
	}
	if slices.Contains(shape, 0) && slices.Min(shape) == 0 {
		return 0, nil
	}
	n := int64(1)
	for _, d := range shape {
		if d < 0 || n > min(limit, most)/int64(t.Size())/int64(d) {
			return 0, fmt.Errorf("shape %v of %s in %d bytes (at most %d are read)", shape, t, limit, most)
		}
		n *= int64(d)
	}
	return n * int64(t.Size()), nil
}

// exactly reads size bytes.
func exactly(r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("it ends in the middle of its elements: %w", err)
	}
	return data, nil
}
