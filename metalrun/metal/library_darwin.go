//go:build darwin && !ios

package metal

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego/objc"

	"metalconform/metalrun"
)

const functionTypeKernel = uint(3) // MTLFunctionTypeKernel

// library is one compiled translation unit.
type library struct {
	*runner
	program *metalrun.Program
	object  objc.ID // MTLLibrary

	mu      sync.Mutex
	kernels []*kernel // to be released with the library
}

// kernel is one pipeline.
type kernel struct {
	*library
	name         string
	pipeline     objc.ID
	maxThreads   int
	staticMemory int // bytes of threadgroup memory that the kernel declares itself
}

func (r *runner) Compile(p *metalrun.Program) (metalrun.Library, error) {
	text, err := flatten(p.Source())
	if err != nil {
		return nil, err
	}
	l := &library{runner: r, program: p}
	if err := r.withPool(func() error { return l.compile(text) }); err != nil {
		return nil, err
	}
	return l, nil
}

// name is that of the main file.
func (l *library) name() string { return l.program.Source().Name }

func (l *library) compile(text flattened) error {
	options := newObject("MTLCompileOptions")
	defer options.Send(selRelease)
	if err := setOptions(options, l.program.Options()); err != nil {
		return err
	}
	var nserr objc.ID
	l.object = l.device.Send(selNewLibraryWithSource, nsString(text.text), options, unsafe.Pointer(&nserr))
	if l.object != 0 {
		return nil // an error beside a library holds warnings
	}
	err := nsError("compiling "+l.name(), nserr)
	if list := text.diagnostics(err.Error()); list != nil {
		return list
	}
	return err
}

// setOptions sets every option there is: the defaults depend on the SDK that
// the running binary was linked against.
func setOptions(options objc.ID, opts metalrun.CompileOptions) error {
	version, err := mtlVersion(opts.LanguageVersion)
	if err != nil {
		return err
	}
	options.Send(selSetLanguageVersion, version)

	mode, functions, err := mtlMath(opts)
	if err != nil {
		return err
	}
	if responds(options, selSetMathMode) { // macOS 15
		options.Send(selSetMathMode, mode)
		options.Send(selSetMathFloatingPointFunctions, functions)
	} else {
		fast, err := mtlFastMath(mode, functions)
		if err != nil {
			return err
		}
		options.Send(selSetFastMathEnabled, fast)
	}

	macros := newObject("NSMutableDictionary")
	defer macros.Send(selRelease)
	for name, value := range opts.Macros {
		if strings.ContainsRune(name+value, 0) {
			return fmt.Errorf("macro %q holds a NUL byte", name)
		}
		macros.Send(selSetObjectForKey, nsString(value), nsString(name))
	}
	options.Send(selSetPreprocessorMacros, macros)
	return nil
}

func (l *library) Kernel(name string) (metalrun.Kernel, error) {
	if strings.ContainsRune(name, 0) {
		return nil, errors.New("kernel name holds a NUL byte")
	}
	k := &kernel{library: l, name: name}
	if err := l.withPool(k.build); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kernels = append(l.kernels, k)
	return k, nil
}

func (k *kernel) build() error {
	function, err := k.function()
	if err != nil {
		return err
	}
	defer function.Send(selRelease)
	if objc.Send[uint](function, selFunctionType) != functionTypeKernel {
		return fmt.Errorf("%s has no kernel %s: the function of that name is none", k.library.name(), k.name)
	}
	var nserr objc.ID
	k.pipeline = k.device.Send(selNewComputePipelineState, function, unsafe.Pointer(&nserr))
	if k.pipeline == 0 {
		return nsError("building a pipeline of "+k.name, nserr)
	}
	k.maxThreads = int(objc.Send[uint](k.pipeline, selMaxTotalThreads))
	k.staticMemory = int(objc.Send[uint](k.pipeline, selStaticThreadgroupMemoryLength))
	return nil
}

// function is the MTLFunction of k's name with the library's constants; the
// caller releases it.
func (k *kernel) function() (objc.ID, error) {
	constants := k.program.Options().FunctionConstants
	if len(constants) == 0 {
		function := k.object.Send(selNewFunctionWithName, nsString(k.name))
		if function == 0 {
			return 0, fmt.Errorf("%s has no kernel %s", k.library.name(), k.name)
		}
		return function, nil
	}
	values := newObject("MTLFunctionConstantValues")
	defer values.Send(selRelease)
	for index, value := range constants {
		dataType, data, err := mtlConstant(index, value)
		if err != nil {
			return 0, err
		}
		values.Send(selSetConstantValue, unsafe.Pointer(&data[0]), dataType, uint(index))
		runtime.KeepAlive(data)
	}
	var nserr objc.ID
	function := k.object.Send(selNewFunctionWithConstantValues, nsString(k.name), values, unsafe.Pointer(&nserr))
	if function == 0 {
		return 0, nsError("specialising "+k.name, nserr)
	}
	return function, nil
}

// Release frees the library and its kernels.
func (l *library) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.kernels {
		k.pipeline.Send(selRelease)
	}
	l.kernels = nil
	l.object.Send(selRelease)
	l.object = 0
}
