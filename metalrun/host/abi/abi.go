package abi

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"metalconform/metalrun/host"
)

// Function is a function that C can call. Signature has its name and its arguments.
type Function struct {
	Signature string
	call      func(a arguments) uint64
}

// Functions lists the functions, in the order of their numbers.
func Functions() []Function {
	var all []Function
	for _, list := range [][]Function{deviceFunctions, libraryFunctions, memoryFunctions, queueFunctions, passFunctions,
		orderFunctions} {
		all = append(all, list...)
	}
	return all
}

// Header is a header of C that declares the functions.
func Header() string {
	var b strings.Builder
	b.WriteString("// The functions of the library. Generated.\n#pragma once\n#include <stdint.h>\n" +
		"typedef void (*conform_function)(void *context, uint64_t value);\n" +
		"uint64_t conform_call(uint64_t number, const uint64_t *arguments);\n")
	for i, f := range Functions() {
		name, rest, _ := strings.Cut(strings.TrimSuffix(f.Signature, ")"), "(")
		var declared, passed []string
		for arg := range strings.SplitSeq(rest, ", ") {
			if arg == "" {
				continue
			}
			declared = append(declared, arg)
			passed = append(passed, "(uint64_t)"+arg[strings.LastIndexAny(arg, " *")+1:])
		}
		fmt.Fprintf(&b, "static inline uint64_t conform_%s(%s) {\n\tconst uint64_t a[] = {%s};\n"+
			"\treturn conform_call(%d, a);\n}\n", name, strings.Join(declared, ", "),
			strings.Join(append(passed, "0"), ", "), i)
	}
	return b.String()
}

// table is Functions by number.
var table = sync.OnceValue(Functions)

// Call calls a function. arguments points to as many numbers as it takes.
func Call(number uint64, args unsafe.Pointer) uint64 { return table()[number].call(arguments{args}) }

// Callback calls a function of C. The shared library sets it.
var Callback func(function, context, value uint64)

// arguments are those of a call.
type arguments struct{ at unsafe.Pointer }

func (a arguments) word(i int) uint64 { return *(*uint64)(unsafe.Add(a.at, 8*i)) }

func (a arguments) int(i int) int { return int(a.word(i)) }

// pointer is an argument that points to memory of the program.
func (a arguments) pointer(i int) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(a.at, 8*i)) }

// bytes are memory at argument i, as long as argument n says.
func (a arguments) bytes(i, n int) []byte { return unsafe.Slice((*byte)(a.pointer(i)), a.int(n)) }

// text is a string of C.
func (a arguments) text(i int) string {
	p := a.pointer(i)
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return strings.Clone(unsafe.String((*byte)(p), n))
}

// put writes a string of C to memory at argument i with room for argument i+1 bytes, and gives its length.
func (a arguments) put(i int, s string) uint64 {
	if room := a.bytes(i, i+1); len(room) > 0 {
		room[copy(room[:len(room)-1], s)] = 0
	}
	return uint64(len(s))
}

// back is a function of C at argument i, with its context after it, that gets a value.
func (a arguments) back(i int) func(value uint64) {
	function, context := a.word(i), a.word(i+1)
	return func(value uint64) { Callback(function, context, value) }
}

// handles are the objects that C knows.
var handles struct {
	sync.Mutex
	objects map[uint64]any
	last    uint64
}

// handle makes a handle of an object.
func handle(x any) uint64 {
	handles.Lock()
	defer handles.Unlock()
	if handles.objects == nil {
		handles.objects = map[uint64]any{}
	}
	handles.last++
	handles.objects[handles.last] = x
	return handles.last
}

// object is that of a handle; the zero value if there is none.
func object[T any](h uint64) T {
	handles.Lock()
	defer handles.Unlock()
	x, _ := handles.objects[h].(T)
	return x
}

// settings are what the command says to the library, in the environment.
type settings struct {
	Device string `json:"device,omitempty"`
	Math   string `json:"math,omitempty"`
	Report string `json:"report,omitempty"` // a file that gets JSON lines; "": standard error gets text
	Stop   bool   `json:"stop,omitempty"`
}

// Variable is the variable of the environment that has the settings.
const Variable = "CONFORM_HOST"

// Settings are the value of [Variable] for options and a report.
func Settings(o host.Options, report string) string {
	text, err := json.Marshal(settings{Device: o.Device, Math: o.Math, Report: report, Stop: o.Stop})
	if err != nil {
		panic(err) // strings and booleans alone
	}
	return string(text)
}

// process is the host of this process.
var process = sync.OnceValue(func() *host.Host {
	var s settings
	if text := os.Getenv(Variable); text != "" {
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			fatal(err)
		}
	}
	o := host.Options{Device: s.Device, Math: s.Math, Stop: s.Stop, Report: terminal{}}
	if s.Report != "" {
		file, err := os.OpenFile(s.Report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			fatal(err)
		}
		o.Report = file
	}
	h, err := host.New(o)
	if err != nil {
		fatal(err)
	}
	return h
})

// fatal ends a process that cannot have a device.
func fatal(err error) {
	fmt.Fprintf(os.Stderr, "conform: %s: %v\n", Variable, err)
	os.Exit(host.StopStatus)
}

// terminal writes findings as text.
type terminal struct{}

func (terminal) Write(line []byte) (int, error) {
	var l host.Line
	if err := json.Unmarshal(line, &l); err == nil && l.Finding != nil {
		fmt.Fprintln(os.Stderr, "conform:", l.Finding)
	}
	return len(line), nil
}
