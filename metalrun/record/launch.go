package record

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"metalconform/internal/regular"
	"metalconform/metalrun"
	"metalconform/tensorfile"
)

const (
	mostFile  = 2*mostLaunch + 1<<20 // of a file that is read: each buffer twice
	ending    = ".safetensors.gz"
	deviceFor = "device.json"
)

// key names a launch of a kernel of a program: what it depends on, hashed.
func key(p *metalrun.Program, kernel string, d metalrun.Dispatch) string {
	h := sha256.New()
	write := func(v any) {
		if err := json.NewEncoder(h).Encode(v); err != nil {
			panic(err) // strings, numbers and bytes
		}
	}
	opts := p.Options()
	constants := map[string]string{}
	for i, v := range opts.FunctionConstants {
		constants[strconv.Itoa(i)] = fmt.Sprintf("%T %v", v, v)
	}
	write([]any{kernel, p.Source(), opts.LanguageVersion, opts.MathMode, opts.FastFunctions, opts.Macros, constants})
	write([]any{d.Threadgroups, d.Threads, d.ThreadsPerThreadgroup, d.ThreadgroupMemory})
	for _, b := range d.Bindings {
		sum := sha256.Sum256(b.Data)
		write([]any{b.Index, b.Offset, b.Length, b.Inline, hex.EncodeToString(sum[:])})
	}
	if memory, at := metalrun.Memory([]metalrun.Dispatch{d}); len(memory) < buffers(d) {
		write(at) // some bindings share a buffer
	}
	return fmt.Sprintf("%s-%x", kernel, h.Sum(nil)[:12])
}

// buffers is the number of bindings that are buffers.
func buffers(d metalrun.Dispatch) (n int) {
	for _, b := range d.Bindings {
		if !b.Inline {
			n++
		}
	}
	return n
}

// types are those of scalars by their names in the language.
var types = map[string]tensorfile.Type{
	"float": tensorfile.F32, "half": tensorfile.F16, "bfloat": tensorfile.BF16, "uint": tensorfile.U32,
	"int":    tensorfile.I32,
	"ushort": tensorfile.U16, "short": tensorfile.I16, "uchar": tensorfile.U8, "char": tensorfile.I8,
	"bool": tensorfile.Bool, "ulong": tensorfile.U64, "long": tensorfile.I64,
}

// tensor is an argument's window as an array in a row.
func tensor(name string, a metalrun.ArgInfo, window []byte) tensorfile.Named {
	t, ok := types[a.Type]
	if !ok || len(window)%t.Size() != 0 {
		t = tensorfile.U8
	}
	return tensorfile.Named{Name: name,
		Array: tensorfile.Array{Type: t, Shape: []int{len(window) / t.Size()}, Data: window}}
}

// argument is that which a binding is for.
func argument(info metalrun.KernelInfo, b metalrun.Binding) metalrun.ArgInfo {
	i := slices.IndexFunc(info.Args,
		func(a metalrun.ArgInfo) bool { return a.Kind == metalrun.BufferArg && a.Index == b.Index })
	if i < 0 {
		return metalrun.ArgInfo{Name: strconv.Itoa(b.Index)}
	}
	return info.Args[i]
}

// launch is the file of a launch: windows as it found them and as it left them. What it
// changed outside of a window is kept with the whole buffer, and the error that it ended in.
func launch(info metalrun.KernelInfo, d metalrun.Dispatch, before [][]byte, o metalrun.Outcome, failed error) []byte {
	var tensors []tensorfile.Named
	for i, b := range d.Bindings {
		a := argument(info, b)
		end := b.Offset + b.Length
		window, was := b.Data[b.Offset:end], before[i][b.Offset:end]
		tensors = append(tensors, tensor("in."+a.Name, a, was))
		if !bytes.Equal(window, was) {
			tensors = append(tensors, tensor("out."+a.Name, a, window))
		}
		if !bytes.Equal(b.Data[:b.Offset], before[i][:b.Offset]) || !bytes.Equal(b.Data[end:], before[i][end:]) {
			tensors = append(tensors, tensor("all."+a.Name, metalrun.ArgInfo{}, b.Data))
		}
	}
	meta := map[string]string{"kernel": info.Name, "ns": strconv.FormatInt(o.Duration.Nanoseconds(), 10),
		"clock": string(o.Clock)}
	var fault *metalrun.Fault
	if errors.As(failed, &fault) {
		text, err := json.Marshal(fault)
		if err != nil {
			panic(err) // strings and numbers
		}
		meta["fault"] = string(text)
	}
	if failed != nil {
		meta["error"] = failed.Error()
	}
	return tensorfile.Safetensors(meta, tensors)
}

// failure is the error that a launch ended in, nil if it did not. What was wrong with the
// device is over: it is an error of the launch like others.
func failure(meta map[string]string) (failed, damaged error) {
	text, fails := meta["error"]
	if !fails {
		return nil, nil
	}
	if fault, ok := meta["fault"]; ok {
		f := &metalrun.Fault{}
		damaged = regular.JSON([]byte(fault), f)
		return f, damaged
	}
	return errors.New(text), nil
}

// answer copies what a launch has left into the bindings, of which some may share memory.
// failed is the error that it ended in.
func answer(info metalrun.KernelInfo, d metalrun.Dispatch, file []byte) (o metalrun.Outcome, failed, damaged error) {
	meta, tensors, err := decode(file)
	if err != nil {
		return o, nil, err
	}
	ns, err := strconv.ParseInt(meta["ns"], 10, 64)
	if err != nil || ns < 0 || meta["kernel"] != info.Name {
		return o, nil, fmt.Errorf("metadata %v are not those of a launch of %s", meta, info.Name)
	}
	for _, b := range d.Bindings {
		name, window := argument(info, b).Name, b.Data[b.Offset:b.Offset+b.Length]
		if t, ok := tensors["in."+name]; !ok || !bytes.Equal(t.Data, window) {
			return o, nil, fmt.Errorf("in.%s is not what the launch was given", name)
		}
	}
	for _, b := range d.Bindings {
		name, window := argument(info, b).Name, b.Data[b.Offset:b.Offset+b.Length]
		for _, part := range []struct {
			tensor string
			to     []byte
		}{{"all." + name, b.Data}, {"out." + name, window}} {
			t, ok := tensors[part.tensor]
			if ok && len(t.Data) != len(part.to) {
				return o, nil, fmt.Errorf("%s has %d bytes, want %d", part.tensor, len(t.Data), len(part.to))
			}
			if ok && !b.Inline {
				copy(part.to, t.Data)
			}
		}
	}
	failed, damaged = failure(meta)
	return metalrun.Outcome{Duration: time.Duration(ns), Clock: metalrun.Clock(meta["clock"])}, failed, damaged
}

// decode reads a file with all its arrays.
func decode(file []byte) (meta map[string]string, tensors map[string]tensorfile.Array, err error) {
	f, err := tensorfile.ReadSafetensors(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	tensors = map[string]tensorfile.Array{}
	for _, name := range f.Names {
		if tensors[name], err = f.Array(name); err != nil {
			return nil, nil, err
		}
	}
	return f.Meta, tensors, nil
}

// size is that of the buffers of a launch.
func size(d metalrun.Dispatch) (n int) {
	for _, b := range d.Bindings {
		n += len(b.Data)
	}
	return n
}

// compressed is a new file with the data of a launch, under a name that no recording has.
func compressed(dir, name string, data []byte) (string, error) {
	file, err := os.CreateTemp(dir, "."+name)
	if err != nil {
		return "", err
	}
	z := gzip.NewWriter(file)
	_, err = z.Write(data)
	return file.Name(), cmp.Or(err, z.Close(), file.Close())
}

// read has a file, but never more than a launch can have.
func read(name string) ([]byte, error) {
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, mostFile+1))
	if err == nil && len(data) > mostFile {
		err = fmt.Errorf("more than %d bytes", mostFile)
	}
	return data, err
}
