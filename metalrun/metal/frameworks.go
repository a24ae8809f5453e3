//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/ebitengine/purego"

	"metalconform/metalrun"
)

// objc are the C functions of the runtime and of Metal, once they are loaded.
var objc struct {
	createSystemDefaultDevice func() id
	copyAllDevices            func() id
	poolPush                  func() uintptr
	poolPop                   func(uintptr)
	getClass                  func(string) id
	classOf                   func(id) uintptr
	className                 func(uintptr) string
	method                    func(class uintptr, s selector) uintptr
	encoding                  func(method uintptr) string
	registerName              func(string) selector
	responds                  func(object id, respondsToSelector, s selector) bool
	send                      uintptr
}

// load opens the system's libraries once.
var load = sync.OnceValue(func() error {
	var handles []uintptr
	for _, path := range libraries() {
		if path == "" {
			return errors.New("METAL_DOUBLE_LIBRARY does not name the double of Metal")
		}
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			return err
		}
		handles = append(handles, handle)
	}
	for name, function := range map[string]any{
		"MTLCreateSystemDefaultDevice": &objc.createSystemDefaultDevice,
		"MTLCopyAllDevices":            &objc.copyAllDevices,
		"objc_autoreleasePoolPush":     &objc.poolPush,
		"objc_autoreleasePoolPop":      &objc.poolPop,
		"objc_getClass":                &objc.getClass,
		"object_getClass":              &objc.classOf,
		"class_getName":                &objc.className,
		"class_getInstanceMethod":      &objc.method,
		"method_getTypeEncoding":       &objc.encoding,
		"sel_registerName":             &objc.registerName,
		"objc_msgSend":                 &objc.responds,
	} {
		address, err := find(handles, name)
		if err != nil {
			return err
		}
		if name == "objc_msgSend" {
			objc.send = address
		}
		purego.RegisterFunc(function, address)
	}
	return nil
})

// find is the address of a function of one of the libraries.
func find(handles []uintptr, name string) (address uintptr, err error) {
	for _, handle := range handles {
		if address, err = purego.Dlsym(handle, name); err == nil && address != 0 {
			return address, nil
		}
	}
	return 0, fmt.Errorf("no library has %s: %w", name, err)
}

// withPool calls do inside an autorelease pool. A pool belongs to a thread,
// so the goroutine keeps its own until the pool is gone. A message that does not fit
// its method is the error of do.
func withPool(do func() error) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pool := objc.poolPush()
	defer objc.poolPop(pool)
	defer func() {
		if p := recover(); p != nil {
			m, ok := p.(*mismatch)
			if !ok {
				panic(p)
			}
			err = fmt.Errorf("%w: Metal here is not the one that this program was written for: %w",
				metalrun.ErrUnusable, m)
		}
	}()
	return do()
}
