//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"metalconform/metalrun"
)

const functionTypeKernel = uint(3) // MTLFunctionTypeKernel

// library is one compiled translation unit.
type library struct {
	*runner
	program *metalrun.Program

	mu      sync.Mutex
	object  id        // MTLLibrary; 0 once it is released
	kernels []*kernel // to be released with the library
}

// kernel is one pipeline.
type kernel struct {
	*library
	info         metalrun.KernelInfo
	pipeline     id
	maxThreads   int
	width        int // threads of a simdgroup
	staticMemory int // bytes of threadgroup memory that the kernel declares itself
}

func (r *runner) Compile(p *metalrun.Program) (metalrun.Library, error) {
	unit, err := p.Unit()
	if err != nil {
		return nil, err
	}
	l := &library{runner: r, program: p}
	if err := withPool(func() error { return l.compile(unit) }); err != nil {
		return nil, err
	}
	return l, nil
}

// name is that of the main file.
func (l *library) name() string { return l.program.Source().Name }

// compile hands Metal the preprocessed text: its run-time compiler has no include
// path, and macros have been replaced already.
func (l *library) compile(unit metalrun.Unit) error {
	options, err := newObject("MTLCompileOptions")
	if err != nil {
		return err
	}
	defer release(options)
	if err := setOptions(options, l.program.Options()); err != nil {
		return err
	}
	text, err := newString("source "+l.name(), unit.Text())
	if err != nil {
		return err
	}
	var e id
	l.object = mtlDevice.NewLibraryWithSource(l.device, text, options, &e)
	if l.object != 0 {
		return nil // an error next to a library holds warnings
	}
	failed := reason(e)
	if list := diagnostics(failed.text, unit); list != nil {
		return list
	}
	return fmt.Errorf("compiling %s: %v", l.name(), failed)
}

// setOptions sets every option there is: the defaults depend on the SDK that
// the running binary was linked against.
func setOptions(options id, opts metalrun.CompileOptions) error {
	version, err := mtlVersion(opts.LanguageVersion)
	if err != nil {
		return err
	}
	mtlCompileOptions.SetLanguageVersion(options, version)
	mode, functions, err := mtlMath(opts)
	if err != nil {
		return err
	}
	if responds(options, "setMathMode:") { // macOS 15
		mtlCompileOptions.SetMathMode(options, mode)
		mtlCompileOptions.SetMathFloatingPointFunctions(options, functions)
		return nil
	}
	fast, err := mtlFastMath(mode, functions)
	if err != nil {
		return err
	}
	mtlCompileOptions.SetFastMathEnabled(options, fast)
	return nil
}

func (l *library) Kernel(name string) (metalrun.Kernel, error) {
	info, err := l.program.Kernel(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.name(), err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.object == 0 {
		return nil, fmt.Errorf("kernel %s: %s has been released", name, l.name())
	}
	k := &kernel{library: l, info: info}
	if err := withPool(k.build); err != nil {
		return nil, k.unsupported(err)
	}
	l.kernels = append(l.kernels, k)
	return k, nil
}

func (k *kernel) build() error {
	function, err := k.function()
	if err != nil {
		return err
	}
	defer release(function)
	if mtlFunction.FunctionType(function) != functionTypeKernel {
		return fmt.Errorf("%s has no kernel %s: the function of that name is none", k.name(), k.info.Name)
	}
	var e id
	pipeline := mtlDevice.NewComputePipelineState(k.device, function, &e)
	if pipeline == 0 {
		return fmt.Errorf("building a pipeline of %s: %v", k.info.Name, reason(e))
	}
	k.width = int(mtlComputePipelineState.ThreadExecutionWidth(pipeline))
	if err := checkWidth(k.info, k.width); err != nil {
		release(pipeline)
		return err
	}
	k.pipeline = pipeline
	k.maxThreads = int(mtlComputePipelineState.MaxTotalThreadsPerThreadgroup(pipeline))
	k.staticMemory = int(mtlComputePipelineState.StaticThreadgroupMemoryLength(pipeline))
	return nil
}

// unsupported is the error of a kernel that could not be built, as one of the device if
// that is why. Metal words such refusals in many ways; but a device without a feature
// refuses the smallest kernel that uses it as well.
func (k *kernel) unsupported(err error) error {
	if errors.Is(err, metalrun.ErrUnsupported) {
		return err
	}
	for _, f := range k.info.Features {
		if k.lacks(f) {
			return fmt.Errorf("%w: %s uses %s: %w", metalrun.ErrUnsupported, k.info.Name, f, err)
		}
	}
	return err
}

// lacks reports whether the device builds no kernel that uses a feature.
func (r *runner) lacks(f metalrun.Feature) bool {
	r.featuresMu.Lock()
	defer r.featuresMu.Unlock()
	lacks, known := r.features[f]
	if !known {
		lacks = r.refuses(f)
		if r.features == nil {
			r.features = map[metalrun.Feature]bool{}
		}
		r.features[f] = lacks
	}
	return lacks
}

func (r *runner) refuses(f metalrun.Feature) bool {
	p, err := f.Program()
	if err != nil {
		return false
	}
	infos, err := p.Kernels()
	if err != nil {
		return false
	}
	compiled, err := r.Compile(p)
	if err != nil {
		return true
	}
	defer compiled.Release()
	k := &kernel{library: compiled.(*library), info: infos[0]}
	return withPool(func() error {
		defer func() { release(k.pipeline) }()
		return k.build()
	}) != nil
}

// function is the MTLFunction of k's name with the library's constants; the
// caller releases it.
func (k *kernel) function() (id, error) {
	name, err := newString("kernel name", k.info.Name)
	if err != nil {
		return 0, err
	}
	constants := k.program.Options().FunctionConstants
	if len(constants) == 0 {
		if function := mtlLibrary.NewFunctionWithName(k.object, name); function != 0 {
			return function, nil
		}
		return 0, fmt.Errorf("%s has no kernel %s", k.name(), k.info.Name)
	}
	values, err := newObject("MTLFunctionConstantValues")
	if err != nil {
		return 0, err
	}
	defer release(values)
	for index, value := range constants {
		dataType, data, err := mtlConstant(index, value)
		if err != nil {
			return 0, err
		}
		mtlFunctionConstantValues.SetConstantValue(values, unsafe.Pointer(&data[0]), dataType, uint(index))
		runtime.KeepAlive(data)
	}
	var e id
	function := mtlLibrary.NewFunctionWithConstantValues(k.object, name, values, &e)
	if function == 0 {
		return 0, fmt.Errorf("specialising %s: %v", k.info.Name, reason(e))
	}
	return function, nil
}

// Release frees the library and its kernels, once.
func (l *library) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	withPool(func() error {
		for _, k := range l.kernels {
			release(k.pipeline)
		}
		release(l.object)
		return nil
	})
	l.kernels, l.object = nil, 0
}
