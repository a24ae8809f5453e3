// Command library is the shared library that the classes of Metal call, if it is built with cgo:
//
//	CGO_ENABLED=1 go build -buildmode=c-shared -o libconformhost.so ./metalrun/host/library
//
// Run as a program, it prints the name of the device that the library has.
package main

import (
	"bytes"
	"fmt"
	"unsafe"

	"metalconform/metalrun/host/abi"
)

func main() {
	name := make([]byte, 256)
	abi.Call(0, unsafe.Pointer(&[]uint64{uint64(uintptr(unsafe.Pointer(&name[0]))), uint64(len(name))}[0]))
	fmt.Printf("%s\n", bytes.TrimRight(name, "\x00"))
}
