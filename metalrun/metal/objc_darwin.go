//go:build darwin && !ios

package metal

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/ebitengine/purego"
	"github.com/ebitengine/purego/cstrings"
	"github.com/ebitengine/purego/objc"
)

// Every message that the runner sends, by class or protocol of the receiver.
var (
	// NSObject
	selNew                = objc.RegisterName("new")
	selRetain             = objc.RegisterName("retain")
	selRelease            = objc.RegisterName("release")
	selRespondsToSelector = objc.RegisterName("respondsToSelector:")
	selDescription        = objc.RegisterName("description")

	// NSString, NSError, NSArray, NSMutableDictionary, NSProcessInfo
	selStringWithUTF8String         = objc.RegisterName("stringWithUTF8String:")
	selLocalizedDescription         = objc.RegisterName("localizedDescription")
	selCode                         = objc.RegisterName("code")
	selCount                        = objc.RegisterName("count")
	selObjectAtIndex                = objc.RegisterName("objectAtIndex:")
	selSetObjectForKey              = objc.RegisterName("setObject:forKey:")
	selProcessInfo                  = objc.RegisterName("processInfo")
	selOperatingSystemVersionString = objc.RegisterName("operatingSystemVersionString")

	// MTLDevice
	selName                       = objc.RegisterName("name")
	selArchitecture               = objc.RegisterName("architecture")
	selMaxThreadgroupMemoryLength = objc.RegisterName("maxThreadgroupMemoryLength")
	selNewCommandQueue            = objc.RegisterName("newCommandQueue")
	selNewLibraryWithSource       = objc.RegisterName("newLibraryWithSource:options:error:")
	selNewComputePipelineState    = objc.RegisterName("newComputePipelineStateWithFunction:error:")
	selNewBufferWithBytes         = objc.RegisterName("newBufferWithBytes:length:options:")
	selNewBufferWithLength        = objc.RegisterName("newBufferWithLength:options:")

	// MTLCompileOptions, MTLFunctionConstantValues
	selSetLanguageVersion            = objc.RegisterName("setLanguageVersion:")
	selSetMathMode                   = objc.RegisterName("setMathMode:")
	selSetMathFloatingPointFunctions = objc.RegisterName("setMathFloatingPointFunctions:")
	selSetFastMathEnabled            = objc.RegisterName("setFastMathEnabled:")
	selSetPreprocessorMacros         = objc.RegisterName("setPreprocessorMacros:")
	selSetConstantValue              = objc.RegisterName("setConstantValue:type:atIndex:")

	// MTLLibrary, MTLFunction, MTLComputePipelineState
	selNewFunctionWithName           = objc.RegisterName("newFunctionWithName:")
	selFunctionType                  = objc.RegisterName("functionType")
	selNewFunctionWithConstantValues = objc.RegisterName("newFunctionWithName:constantValues:error:")
	selMaxTotalThreads               = objc.RegisterName("maxTotalThreadsPerThreadgroup")
	selStaticThreadgroupMemoryLength = objc.RegisterName("staticThreadgroupMemoryLength")

	// MTLCommandQueue, MTLCommandBufferDescriptor, MTLCommandBuffer
	selCommandBufferWithDescriptor = objc.RegisterName("commandBufferWithDescriptor:")
	selSetErrorOptions             = objc.RegisterName("setErrorOptions:")
	selComputeCommandEncoder       = objc.RegisterName("computeCommandEncoder")
	selCommit                      = objc.RegisterName("commit")
	selWaitUntilCompleted          = objc.RegisterName("waitUntilCompleted")
	selStatus                      = objc.RegisterName("status")
	selError                       = objc.RegisterName("error")
	selGPUStartTime                = objc.RegisterName("GPUStartTime")
	selGPUEndTime                  = objc.RegisterName("GPUEndTime")

	// MTLComputeCommandEncoder, MTLBuffer
	selSetComputePipelineState    = objc.RegisterName("setComputePipelineState:")
	selSetBuffer                  = objc.RegisterName("setBuffer:offset:atIndex:")
	selSetBytes                   = objc.RegisterName("setBytes:length:atIndex:")
	selSetThreadgroupMemoryLength = objc.RegisterName("setThreadgroupMemoryLength:atIndex:")
	selDispatchThreadgroups       = objc.RegisterName("dispatchThreadgroups:threadsPerThreadgroup:")
	selDispatchThreads            = objc.RegisterName("dispatchThreads:threadsPerThreadgroup:")
	selEndEncoding                = objc.RegisterName("endEncoding")
	selContents                   = objc.RegisterName("contents")
)

// frameworks are the C functions that Metal and the runtime export.
type frameworks struct {
	createSystemDefaultDevice func() objc.ID
	copyAllDevices            func() objc.ID
	poolPush                  func() uintptr
	poolPop                   func(uintptr)
}

// loadFrameworks opens the system's libraries once.
//
// CoreGraphics is among them because a process that has not loaded it gets no
// default device on macOS.
var loadFrameworks = sync.OnceValues(func() (*frameworks, error) {
	var metal uintptr
	for _, name := range []string{"CoreGraphics", "Foundation", "Metal"} {
		handle, err := purego.Dlopen("/System/Library/Frameworks/"+name+".framework/"+name, purego.RTLD_LAZY|purego.RTLD_GLOBAL)
		if err != nil {
			return nil, err
		}
		metal = handle
	}
	runtimeLib, err := purego.Dlopen("/usr/lib/libobjc.A.dylib", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	var f frameworks
	purego.RegisterLibFunc(&f.createSystemDefaultDevice, metal, "MTLCreateSystemDefaultDevice")
	purego.RegisterLibFunc(&f.copyAllDevices, metal, "MTLCopyAllDevices")
	purego.RegisterLibFunc(&f.poolPush, runtimeLib, "objc_autoreleasePoolPush")
	purego.RegisterLibFunc(&f.poolPop, runtimeLib, "objc_autoreleasePoolPop")
	return &f, nil
})

// withPool calls do inside an autorelease pool. A pool belongs to a thread,
// so the goroutine keeps its own until the pool is gone.
func (f *frameworks) withPool(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pool := f.poolPush()
	defer f.poolPop(pool)
	return do()
}

// newObject is [[class alloc] init]; the caller releases it.
func newObject(class string) objc.ID { return objc.ID(objc.GetClass(class)).Send(selNew) }

// nsString is s as an autoreleased NSString. s must be UTF-8 without NUL.
func nsString(s string) objc.ID {
	return objc.ID(objc.GetClass("NSString")).Send(selStringWithUTF8String, s+"\x00")
}

func responds(object objc.ID, selector objc.SEL) bool {
	return objc.Send[bool](object, selRespondsToSelector, selector)
}

// goString is the string that object answers to selector, for example its name.
func goString(object objc.ID, selector objc.SEL) string {
	return cstrings.NSStringToString(object.Send(selector))
}

// nsError is what Metal said when what failed. e is the NSError, which may be nil.
func nsError(what string, e objc.ID) error {
	if e == 0 {
		return fmt.Errorf("%s: Metal gave no reason", what)
	}
	return fmt.Errorf("%s: %s (code %d)", what, goString(e, selLocalizedDescription), objc.Send[int](e, selCode))
}
