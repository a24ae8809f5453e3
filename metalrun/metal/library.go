//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"errors"
	"fmt"
	"os"
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

	warnings string // of the compiler
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
		return nil, r.refusal(err)
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
	mode := l.program.Options().MathMode
	failed, err := l.compileText(unit.Text(), options)
	if text, ok := withoutPragma(unit.Text(), mode); ok && err == nil && l.object == 0 {
		failed, err = l.compileText(text, options)
	}
	if err != nil {
		return err
	}
	if l.object != 0 {
		if err := ignoredPragma(l.name(), unit.Text(), l.warnings, mode); err != nil {
			release(l.object)
			l.object = 0
			return err
		}
		return nil
	}
	if list := diagnostics(failed.text, unit); list != nil {
		return list
	}
	return fmt.Errorf("compiling %s: %v", l.name(), failed)
}

// compileText makes the library of a text, or says why the compiler did not.
func (l *library) compileText(text string, options id) (failed nsReason, err error) {
	source, err := newString("source "+l.name(), text)
	if err != nil {
		return nsReason{}, err
	}
	var e id
	l.object = mtlDevice.NewLibraryWithSource(l.device, source, options, &e)
	switch {
	case l.object == 0:
		return reason(e), nil
	case e != 0: // an error next to a library holds warnings
		l.warnings = reason(e).text
	}
	return nsReason{}, nil
}

// Warnings are the compiler's.
func (l *library) Warnings() string { return l.warnings }

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
		return nil, k.unsupported(l.refusal(err))
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
	if errors.Is(err, metalrun.ErrUnsupported) || errors.Is(err, metalrun.ErrUnusable) {
		return err
	}
	for _, f := range k.info.Features {
		lacks, broken := k.lacks(f)
		if broken != nil {
			return broken
		}
		if lacks {
			return fmt.Errorf("%w: %s uses %s: %w", metalrun.ErrUnsupported, k.info.Name, f, err)
		}
	}
	return err
}

// lacks reports whether the device builds no kernel that uses a feature. broken says that it builds no kernel at all.
func (r *runner) lacks(f metalrun.Feature) (lacks bool, broken error) {
	r.featuresMu.Lock()
	lacks, known := r.features[f]
	r.featuresMu.Unlock()
	if known {
		return lacks, nil
	}
	p, err := f.Program()
	if err != nil {
		return false, nil
	}
	if err := r.builds(p); err != nil {
		if broken := r.control(err); broken != nil {
			return false, broken
		}
		lacks = true
	}
	r.featuresMu.Lock()
	defer r.featuresMu.Unlock()
	if r.features == nil {
		r.features = map[metalrun.Feature]bool{}
	}
	r.features[f] = lacks
	return lacks, nil
}

// refusal is the error of a source or a pipeline that the device has refused: the device is unusable if it refuses the
// control kernel as well.
func (r *runner) refusal(err error) error {
	var list metalrun.Diagnostics
	if errors.As(err, &list) || errors.Is(err, metalrun.ErrUnsupported) || errors.Is(err, metalrun.ErrUnusable) {
		return err // the compiler has read the source, or nobody has asked it
	}
	if broken := r.control(err); broken != nil {
		return broken
	}
	return err
}

// control builds a kernel that every device builds, after another was refused. Each has a text of its own, which no
// cache of the system knows.
func (r *runner) control(refused error) (broken error) {
	r.featuresMu.Lock()
	r.controls++
	text := fmt.Sprintf("kernel void control(device uint *x [[buffer(0)]]) { x[0] = %du; }\n",
		uint32(os.Getpid())<<12|uint32(r.controls)&0xfff)
	r.featuresMu.Unlock()
	p, err := metalrun.Analyse(metalrun.SourceText("control.metal", text), metalrun.CompileOptions{})
	if err != nil {
		return err
	}
	if err := r.builds(p); err != nil {
		return fmt.Errorf("%w: it refuses even the smallest kernel (%v), after %w", metalrun.ErrUnusable, err, refused)
	}
	return nil
}

// builds compiles a program and the pipeline of its first kernel, and keeps neither.
func (r *runner) builds(p *metalrun.Program) error {
	unit, err := p.Unit()
	if err != nil {
		return err
	}
	infos, err := p.Kernels()
	if err != nil {
		return err
	}
	l := &library{runner: r, program: p}
	return withPool(func() error {
		defer func() { release(l.object) }()
		if err := l.compile(unit); err != nil {
			return err
		}
		k := &kernel{library: l, info: infos[0]}
		defer func() { release(k.pipeline) }()
		return k.build()
	})
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
