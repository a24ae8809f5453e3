//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import "unsafe"

// Every message that the runner sends, by class or protocol of the receiver. What a
// name begins with new, and what retain returns, is the caller's to release; anything
// else belongs to the pool or to another object.
var (
	nsObject = bind[struct {
		New     func(class id) id  `objc:"new"`
		Retain  func(object id) id `objc:"retain"`
		Release func(object id)    `objc:"release"`
	}]("NSObject")

	nsString = bind[struct {
		StringWithUTF8String func(class id, text string) id `objc:"stringWithUTF8String:"`
		UTF8String           func(s id) string              `objc:"UTF8String"`
	}]("NSString")

	nsError = bind[struct {
		Domain               func(e id) id  `objc:"domain"`
		Code                 func(e id) int `objc:"code"`
		LocalizedDescription func(e id) id  `objc:"localizedDescription"`
		UserInfo             func(e id) id  `objc:"userInfo"`
	}]("NSError")

	nsDictionary = bind[struct {
		ObjectForKey func(d, key id) id `objc:"objectForKey:"`
	}]("NSDictionary")

	nsArray = bind[struct {
		Count         func(a id) uint           `objc:"count"`
		ObjectAtIndex func(a id, index uint) id `objc:"objectAtIndex:"`
	}]("NSArray")

	nsProcessInfo = bind[struct {
		ProcessInfo                  func(class id) id `objc:"processInfo"`
		OperatingSystemVersionString func(p id) id     `objc:"operatingSystemVersionString"`
		ThermalState                 func(p id) int    `objc:"thermalState"`
		IsLowPowerModeEnabled        func(p id) bool   `objc:"isLowPowerModeEnabled"`
	}]("NSProcessInfo")

	mtlDevice = bind[struct {
		Name func(d id) id `objc:"name"`
		// macOS 14
		Architecture               func(d id) id               `objc:"architecture"`
		MaxThreadgroupMemoryLength func(d id) uint             `objc:"maxThreadgroupMemoryLength"`
		MaxBufferLength            func(d id) uint             `objc:"maxBufferLength"`
		WorkingSet                 func(d id) uint             `objc:"recommendedMaxWorkingSetSize"`
		SupportsFamily             func(d id, family int) bool `objc:"supportsFamily:"`
		NewCommandQueue            func(d id) id               `objc:"newCommandQueue"`
		NewLibraryWithSource       func(d, source, options id,
			e *id) id `objc:"newLibraryWithSource:options:error:"`
		NewComputePipelineState func(d, function id,
			e *id) id `objc:"newComputePipelineStateWithFunction:error:"`
		NewBufferWithBytes func(d id, bytes unsafe.Pointer,
			length, options uint) id `objc:"newBufferWithBytes:length:options:"`
		NewBufferWithLength func(d id,
			length, options uint) id `objc:"newBufferWithLength:options:"`
	}]("MTLDevice")

	mtlArchitecture = bind[struct {
		Name func(a id) id `objc:"name"`
	}]("MTLArchitecture")

	mtlCompileOptions = bind[struct {
		SetLanguageVersion            func(o id, version uint)  `objc:"setLanguageVersion:"`
		SetFastMathEnabled            func(o id, fast bool)     `objc:"setFastMathEnabled:"`
		SetMathMode                   func(o id, mode int)      `objc:"setMathMode:"`                   // macOS 15
		SetMathFloatingPointFunctions func(o id, functions int) `objc:"setMathFloatingPointFunctions:"` // macOS 15
	}]("MTLCompileOptions")

	mtlFunctionConstantValues = bind[struct {
		SetConstantValue func(v id, value unsafe.Pointer, dataType, index uint) `objc:"setConstantValue:type:atIndex:"`
	}]("MTLFunctionConstantValues")

	mtlLibrary = bind[struct {
		NewFunctionWithName           func(l, name id) id `objc:"newFunctionWithName:"`
		NewFunctionWithConstantValues func(l, name, values id,
			e *id) id `objc:"newFunctionWithName:constantValues:error:"`
	}]("MTLLibrary")

	mtlFunction = bind[struct {
		FunctionType func(f id) uint `objc:"functionType"`
	}]("MTLFunction")

	mtlComputePipelineState = bind[struct {
		MaxTotalThreadsPerThreadgroup func(p id) uint `objc:"maxTotalThreadsPerThreadgroup"`
		ThreadExecutionWidth          func(p id) uint `objc:"threadExecutionWidth"`
		StaticThreadgroupMemoryLength func(p id) uint `objc:"staticThreadgroupMemoryLength"`
	}]("MTLComputePipelineState")

	mtlBuffer = bind[struct {
		Contents func(b id) unsafe.Pointer `objc:"contents"`
	}]("MTLBuffer")

	mtlCommandQueue = bind[struct {
		CommandBufferWithDescriptor func(q, descriptor id) id `objc:"commandBufferWithDescriptor:"`
	}]("MTLCommandQueue")

	mtlCommandBufferDescriptor = bind[struct {
		SetErrorOptions func(d id, options uint) `objc:"setErrorOptions:"`
	}]("MTLCommandBufferDescriptor")

	mtlCommandBuffer = bind[struct {
		ComputeCommandEncoder func(c id) id      `objc:"computeCommandEncoder"`
		Commit                func(c id)         `objc:"commit"`
		WaitUntilCompleted    func(c id)         `objc:"waitUntilCompleted"`
		Status                func(c id) uint    `objc:"status"`
		Error                 func(c id) id      `objc:"error"`
		GPUStartTime          func(c id) float64 `objc:"GPUStartTime"`
		GPUEndTime            func(c id) float64 `objc:"GPUEndTime"`
	}]("MTLCommandBuffer")

	mtlComputeCommandEncoder = bind[struct {
		SetComputePipelineState func(e,
			pipeline id) `objc:"setComputePipelineState:"`
		SetBuffer func(e, buffer id,
			offset, index uint) `objc:"setBuffer:offset:atIndex:"`
		SetBytes func(e id, bytes unsafe.Pointer,
			length, index uint) `objc:"setBytes:length:atIndex:"`
		SetThreadgroupMemoryLength func(e id,
			length, index uint) `objc:"setThreadgroupMemoryLength:atIndex:"`
		DispatchThreadgroups func(e id,
			threadgroups, threadsPerThreadgroup mtlSize) `objc:"dispatchThreadgroups:threadsPerThreadgroup:"`
		DispatchThreads func(e id,
			threads, threadsPerThreadgroup mtlSize) `objc:"dispatchThreads:threadsPerThreadgroup:"`
		EndEncoding func(e id) `objc:"endEncoding"`
	}]("MTLComputeCommandEncoder")
)
