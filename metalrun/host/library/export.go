//go:build cgo && linux

package main

/*
#include <stdint.h>
typedef void (*conform_function)(void *context, uint64_t value);
static void conform_back(uintptr_t function, uintptr_t context, uint64_t value) {
	((conform_function)function)((void *)context, value);
}
*/
import "C"

import (
	"unsafe"

	"metalconform/metalrun/host/abi"
)

func init() {
	abi.Callback = func(function, context, value uint64) {
		C.conform_back(C.uintptr_t(function), C.uintptr_t(context), C.uint64_t(value))
	}
}

//export conform_call
func conform_call(number C.uint64_t, arguments *C.uint64_t) C.uint64_t {
	return C.uint64_t(abi.Call(uint64(number), unsafe.Pointer(arguments)))
}
