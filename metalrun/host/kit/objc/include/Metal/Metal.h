// The compute part of Metal, from its public documentation.
#pragma once
#import <Foundation/Foundation.h>
#include <TargetConditionals.h>
#include <dispatch/dispatch.h>
#include <mach/mach.h>
#include <stdint.h>
#include <unistd.h>

// What GNUstep's Foundation lacks.
#ifndef NS_RETURNS_INNER_POINTER
#define NS_RETURNS_INNER_POINTER __attribute__((objc_returns_inner_pointer))
#endif
#ifndef NS_RETURNS_RETAINED
#define NS_RETURNS_RETAINED __attribute__((ns_returns_retained))
#endif
typedef double CFTimeInterval;

typedef struct {
  NSUInteger width, height, depth;
} MTLSize;
typedef struct {
  NSUInteger x, y, z;
} MTLOrigin;
typedef struct {
  MTLOrigin origin;
  MTLSize size;
} MTLRegion;
typedef struct {
  NSUInteger size, align;
} MTLSizeAndAlign;
typedef struct {
  uint32_t threadgroupsPerGrid[3];
} MTLDispatchThreadgroupsIndirectArguments;
static inline MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
  MTLSize s = {width, height, depth};
  return s;
}
static inline MTLOrigin MTLOriginMake(NSUInteger x, NSUInteger y, NSUInteger z) {
  MTLOrigin o = {x, y, z};
  return o;
}

#define CONFORM_ENUM(type, name) enum name : type; typedef enum name : type name; enum name : type
CONFORM_ENUM(NSUInteger, MTLCPUCacheMode) { MTLCPUCacheModeDefaultCache, MTLCPUCacheModeWriteCombined };
CONFORM_ENUM(NSUInteger, MTLStorageMode) {
  MTLStorageModeShared, MTLStorageModeManaged, MTLStorageModePrivate, MTLStorageModeMemoryless
};
CONFORM_ENUM(NSUInteger, MTLHazardTrackingMode) {
  MTLHazardTrackingModeDefault, MTLHazardTrackingModeUntracked, MTLHazardTrackingModeTracked
};
CONFORM_ENUM(NSUInteger, MTLResourceOptions) {
  MTLResourceCPUCacheModeDefaultCache = 0,
  MTLResourceCPUCacheModeWriteCombined = 1,
  MTLResourceStorageModeShared = 0,
  MTLResourceStorageModeManaged = 1 << 4,
  MTLResourceStorageModePrivate = 2 << 4,
  MTLResourceStorageModeMemoryless = 3 << 4,
  MTLResourceHazardTrackingModeDefault = 0,
  MTLResourceHazardTrackingModeUntracked = 1 << 8,
  MTLResourceHazardTrackingModeTracked = 2 << 8,
  MTLResourceOptionCPUCacheModeDefault = 0,
  MTLResourceOptionCPUCacheModeWriteCombined = 1
};
CONFORM_ENUM(NSUInteger, MTLPurgeableState) {
  MTLPurgeableStateKeepCurrent = 1, MTLPurgeableStateNonVolatile, MTLPurgeableStateVolatile, MTLPurgeableStateEmpty
};
CONFORM_ENUM(NSUInteger, MTLResourceUsage) {
  MTLResourceUsageRead = 1, MTLResourceUsageWrite = 2, MTLResourceUsageSample = 4
};
CONFORM_ENUM(NSUInteger, MTLBarrierScope) {
  MTLBarrierScopeBuffers = 1, MTLBarrierScopeTextures = 2, MTLBarrierScopeRenderTargets = 4
};
CONFORM_ENUM(NSUInteger, MTLDispatchType) { MTLDispatchTypeSerial, MTLDispatchTypeConcurrent };
CONFORM_ENUM(NSUInteger, MTLHeapType) { MTLHeapTypeAutomatic, MTLHeapTypePlacement, MTLHeapTypeSparse };
CONFORM_ENUM(NSInteger, MTLGPUFamily) {
  MTLGPUFamilyApple1 = 1001, MTLGPUFamilyApple2, MTLGPUFamilyApple3, MTLGPUFamilyApple4, MTLGPUFamilyApple5,
  MTLGPUFamilyApple6, MTLGPUFamilyApple7, MTLGPUFamilyApple8, MTLGPUFamilyApple9, MTLGPUFamilyApple10,
  MTLGPUFamilyMac1 = 2001, MTLGPUFamilyMac2,
  MTLGPUFamilyCommon1 = 3001, MTLGPUFamilyCommon2, MTLGPUFamilyCommon3,
  MTLGPUFamilyMetal3 = 5001, MTLGPUFamilyMetal4
};
CONFORM_ENUM(NSUInteger, MTLCommandBufferStatus) {
  MTLCommandBufferStatusNotEnqueued, MTLCommandBufferStatusEnqueued, MTLCommandBufferStatusCommitted,
  MTLCommandBufferStatusScheduled, MTLCommandBufferStatusCompleted, MTLCommandBufferStatusError
};
CONFORM_ENUM(NSUInteger, MTLCommandBufferErrorOption) {
  MTLCommandBufferErrorOptionNone, MTLCommandBufferErrorOptionEncoderExecutionStatus
};
CONFORM_ENUM(NSUInteger, MTLCommandBufferError) {
  MTLCommandBufferErrorNone, MTLCommandBufferErrorInternal, MTLCommandBufferErrorTimeout,
  MTLCommandBufferErrorPageFault, MTLCommandBufferErrorAccessRevoked, MTLCommandBufferErrorNotPermitted = 7,
  MTLCommandBufferErrorOutOfMemory, MTLCommandBufferErrorInvalidResource
};
CONFORM_ENUM(NSUInteger, MTLLibraryError) {
  MTLLibraryErrorUnsupported = 1, MTLLibraryErrorInternal, MTLLibraryErrorCompileFailure, MTLLibraryErrorCompileWarning,
  MTLLibraryErrorFunctionNotFound, MTLLibraryErrorFileNotFound
};
CONFORM_ENUM(NSUInteger, MTLLanguageVersion) {
  MTLLanguageVersion1_0 = 1 << 16, MTLLanguageVersion1_1, MTLLanguageVersion1_2,
  MTLLanguageVersion2_0 = 2 << 16, MTLLanguageVersion2_1, MTLLanguageVersion2_2, MTLLanguageVersion2_3,
  MTLLanguageVersion2_4,
  MTLLanguageVersion3_0 = 3 << 16, MTLLanguageVersion3_1, MTLLanguageVersion3_2,
  MTLLanguageVersion4_0 = 4 << 16
};
CONFORM_ENUM(NSInteger, MTLMathMode) { MTLMathModeSafe, MTLMathModeRelaxed, MTLMathModeFast };
CONFORM_ENUM(NSInteger, MTLMathFloatingPointFunctions) {
  MTLMathFloatingPointFunctionsFast, MTLMathFloatingPointFunctionsPrecise
};
CONFORM_ENUM(NSInteger, MTLLibraryOptimizationLevel) {
  MTLLibraryOptimizationLevelDefault, MTLLibraryOptimizationLevelSize
};
CONFORM_ENUM(NSUInteger, MTLFunctionType) {
  MTLFunctionTypeVertex = 1, MTLFunctionTypeFragment, MTLFunctionTypeKernel, MTLFunctionTypeVisible = 5
};
CONFORM_ENUM(NSUInteger, MTLPipelineOption) {
  MTLPipelineOptionNone, MTLPipelineOptionArgumentInfo, MTLPipelineOptionBufferTypeInfo
};
CONFORM_ENUM(NSUInteger, MTLDataType) {
  MTLDataTypeNone, MTLDataTypeStruct, MTLDataTypeArray, MTLDataTypeFloat, MTLDataTypeFloat2, MTLDataTypeFloat3,
  MTLDataTypeFloat4,
  MTLDataTypeHalf = 16, MTLDataTypeHalf2, MTLDataTypeHalf3, MTLDataTypeHalf4,
  MTLDataTypeInt = 29, MTLDataTypeInt2, MTLDataTypeInt3, MTLDataTypeInt4,
  MTLDataTypeUInt = 33, MTLDataTypeUInt2, MTLDataTypeUInt3, MTLDataTypeUInt4,
  MTLDataTypeShort = 37, MTLDataTypeShort2, MTLDataTypeShort3, MTLDataTypeShort4,
  MTLDataTypeUShort = 41, MTLDataTypeUShort2, MTLDataTypeUShort3, MTLDataTypeUShort4,
  MTLDataTypeChar = 45, MTLDataTypeChar2, MTLDataTypeChar3, MTLDataTypeChar4,
  MTLDataTypeUChar = 49, MTLDataTypeUChar2, MTLDataTypeUChar3, MTLDataTypeUChar4,
  MTLDataTypeBool = 53, MTLDataTypeBool2, MTLDataTypeBool3, MTLDataTypeBool4,
  MTLDataTypeLong = 81, MTLDataTypeULong = 85
};
CONFORM_ENUM(NSInteger, MTLCaptureDestination) {
  MTLCaptureDestinationDeveloperTools = 1, MTLCaptureDestinationGPUTraceDocument
};
CONFORM_ENUM(NSUInteger, MTLDeviceLocation) {
  MTLDeviceLocationBuiltIn, MTLDeviceLocationSlot, MTLDeviceLocationExternal
};

@protocol MTLDevice, MTLBuffer, MTLHeap, MTLCommandQueue, MTLCommandBuffer, MTLLibrary, MTLFunction, MTLTexture,
    MTLComputePipelineState, MTLComputeCommandEncoder, MTLBlitCommandEncoder, MTLFence, MTLEvent, MTLSharedEvent,
    MTLResidencySet, MTLCaptureScope, MTLRenderCommandEncoder, MTLBinaryArchive;
@class MTLComputePipelineReflection, MTLTextureDescriptor, MTLRenderPassDescriptor;
typedef void (^MTLCommandBufferHandler)(id<MTLCommandBuffer> buffer);
typedef void (^MTLSharedEventNotificationBlock)(id<MTLSharedEvent> event, uint64_t value);
typedef void (^MTLNewLibraryCompletionHandler)(id<MTLLibrary> library, NSError *error);
typedef void (^MTLNewComputePipelineStateCompletionHandler)(id<MTLComputePipelineState> state, NSError *error);
typedef id MTLAutoreleasedComputePipelineReflection;
FOUNDATION_EXPORT NSString *const MTLLibraryErrorDomain;
FOUNDATION_EXPORT NSString *const MTLCommandBufferErrorDomain;

@interface MTLArchitecture : NSObject <NSCopying>
@property(readonly, copy) NSString *name;
@end

@interface MTLCompileOptions : NSObject <NSCopying>
@property(copy) NSDictionary *preprocessorMacros;
@property BOOL fastMathEnabled;
@property MTLMathMode mathMode;
@property MTLMathFloatingPointFunctions mathFloatingPointFunctions;
@property MTLLanguageVersion languageVersion;
@property MTLLibraryOptimizationLevel optimizationLevel;
@property BOOL preserveInvariance;
@property(copy) NSString *installName;
@property(copy) NSArray *libraries;
@property NSUInteger maxTotalThreadsPerThreadgroup;
@end

@interface MTLFunctionConstantValues : NSObject <NSCopying>
- (void)setConstantValue:(const void *)value type:(MTLDataType)type atIndex:(NSUInteger)index;
- (void)setConstantValues:(const void *)values type:(MTLDataType)type withRange:(NSRange)range;
- (void)setConstantValue:(const void *)value type:(MTLDataType)type withName:(NSString *)name;
- (void)reset;
@end

@interface MTLFunctionDescriptor : NSObject <NSCopying>
+ (MTLFunctionDescriptor *)functionDescriptor;
@property(copy) NSString *name;
@property(copy) NSString *specializedName;
@property(copy) MTLFunctionConstantValues *constantValues;
@end

@interface MTLComputePipelineDescriptor : NSObject <NSCopying>
@property(copy) NSString *label;
@property(retain) id<MTLFunction> computeFunction;
@property BOOL threadGroupSizeIsMultipleOfThreadExecutionWidth;
@property NSUInteger maxTotalThreadsPerThreadgroup;
@property BOOL supportIndirectCommandBuffers;
@property(copy) NSArray *binaryArchives;
- (void)reset;
@end

@interface MTLCommandQueueDescriptor : NSObject <NSCopying>
@property NSUInteger maxCommandBufferCount;
@end
@interface MTLCommandBufferDescriptor : NSObject <NSCopying>
@property BOOL retainedReferences;
@property MTLCommandBufferErrorOption errorOptions;
@end
@interface MTLComputePassDescriptor : NSObject <NSCopying>
+ (MTLComputePassDescriptor *)computePassDescriptor;
@property MTLDispatchType dispatchType;
@end
@interface MTLBlitPassDescriptor : NSObject <NSCopying>
+ (MTLBlitPassDescriptor *)blitPassDescriptor;
@end
@interface MTLHeapDescriptor : NSObject <NSCopying>
@property NSUInteger size;
@property MTLStorageMode storageMode;
@property MTLCPUCacheMode cpuCacheMode;
@property MTLHazardTrackingMode hazardTrackingMode;
@property MTLResourceOptions resourceOptions;
@property MTLHeapType type;
@end
@interface MTLResidencySetDescriptor : NSObject <NSCopying>
@property(copy) NSString *label;
@property NSUInteger initialCapacity;
@end

@protocol MTLAllocation <NSObject>
@property(readonly) NSUInteger allocatedSize;
@end
@protocol MTLResource <MTLAllocation>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) MTLStorageMode storageMode;
@property(readonly) MTLCPUCacheMode cpuCacheMode;
@property(readonly) MTLHazardTrackingMode hazardTrackingMode;
@property(readonly) MTLResourceOptions resourceOptions;
@property(readonly) id<MTLHeap> heap;
@property(readonly) NSUInteger heapOffset;
- (void)makeAliasable;
- (BOOL)isAliasable;
- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state;
@end
@protocol MTLBuffer <MTLResource>
@property(readonly) NSUInteger length;
@property(readonly) uint64_t gpuAddress;
- (void *)contents NS_RETURNS_INNER_POINTER;
- (void)didModifyRange:(NSRange)range;
- (void)addDebugMarker:(NSString *)marker range:(NSRange)range;
- (void)removeAllDebugMarkers;
@end
@protocol MTLHeap <MTLAllocation>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) NSUInteger size, usedSize, currentAllocatedSize;
@property(readonly) MTLStorageMode storageMode;
@property(readonly) MTLHazardTrackingMode hazardTrackingMode;
@property(readonly) MTLHeapType type;
- (NSUInteger)maxAvailableSizeWithAlignment:(NSUInteger)alignment;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options offset:(NSUInteger)offset;
- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state;
@end

@protocol MTLFunction <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) NSString *name;
@property(readonly) MTLFunctionType functionType;
@end
@protocol MTLLibrary <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) NSArray *functionNames;
- (id<MTLFunction>)newFunctionWithName:(NSString *)name;
- (id<MTLFunction>)newFunctionWithName:(NSString *)name
                        constantValues:(MTLFunctionConstantValues *)values
                                 error:(NSError **)error;
- (id<MTLFunction>)newFunctionWithDescriptor:(MTLFunctionDescriptor *)descriptor error:(NSError **)error;
@end
@protocol MTLComputePipelineState <NSObject>
@property(readonly) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) NSUInteger maxTotalThreadsPerThreadgroup, threadExecutionWidth, staticThreadgroupMemoryLength;
@end

@protocol MTLFence <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@end
@protocol MTLEvent <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@end
@interface MTLSharedEventListener : NSObject
- (instancetype)initWithDispatchQueue:(dispatch_queue_t)queue;
@property(readonly) dispatch_queue_t dispatchQueue;
@end
@protocol MTLSharedEvent <MTLEvent>
@property uint64_t signaledValue;
- (BOOL)waitUntilSignaledValue:(uint64_t)value timeoutMS:(uint64_t)milliseconds;
- (void)notifyListener:(MTLSharedEventListener *)listener
               atValue:(uint64_t)value
                 block:(MTLSharedEventNotificationBlock)block;
@end

@protocol MTLCommandEncoder <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
- (void)endEncoding;
- (void)insertDebugSignpost:(NSString *)text;
- (void)pushDebugGroup:(NSString *)name;
- (void)popDebugGroup;
@end
@protocol MTLComputeCommandEncoder <MTLCommandEncoder>
@property(readonly) MTLDispatchType dispatchType;
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state;
- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setBufferOffset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setBuffers:(const id<MTLBuffer> __unsafe_unretained[])buffers
           offsets:(const NSUInteger[])offsets
         withRange:(NSRange)range;
- (void)setTexture:(id<MTLTexture>)texture atIndex:(NSUInteger)index;
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads;
- (void)dispatchThreads:(MTLSize)threads threadsPerThreadgroup:(MTLSize)group;
- (void)dispatchThreadgroupsWithIndirectBuffer:(id<MTLBuffer>)buffer
                          indirectBufferOffset:(NSUInteger)offset
                         threadsPerThreadgroup:(MTLSize)threads;
- (void)memoryBarrierWithScope:(MTLBarrierScope)scope;
- (void)memoryBarrierWithResources:(const id<MTLResource> __unsafe_unretained[])resources count:(NSUInteger)count;
- (void)useResource:(id<MTLResource>)resource usage:(MTLResourceUsage)usage;
- (void)useResources:(const id<MTLResource> __unsafe_unretained[])resources
               count:(NSUInteger)count
               usage:(MTLResourceUsage)usage;
- (void)useHeap:(id<MTLHeap>)heap;
- (void)updateFence:(id<MTLFence>)fence;
- (void)waitForFence:(id<MTLFence>)fence;
@end
@protocol MTLBlitCommandEncoder <MTLCommandEncoder>
- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size;
- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(uint8_t)value;
- (void)synchronizeResource:(id<MTLResource>)resource;
- (void)updateFence:(id<MTLFence>)fence;
- (void)waitForFence:(id<MTLFence>)fence;
@end

@protocol MTLCommandBuffer <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) id<MTLCommandQueue> commandQueue;
@property(readonly) BOOL retainedReferences;
@property(readonly) MTLCommandBufferStatus status;
@property(readonly) NSError *error;
@property(readonly) CFTimeInterval GPUStartTime, GPUEndTime, kernelStartTime, kernelEndTime;
- (id<MTLComputeCommandEncoder>)computeCommandEncoder;
- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDispatchType:(MTLDispatchType)type;
- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDescriptor:(MTLComputePassDescriptor *)descriptor;
- (id<MTLBlitCommandEncoder>)blitCommandEncoder;
- (id<MTLBlitCommandEncoder>)blitCommandEncoderWithDescriptor:(MTLBlitPassDescriptor *)descriptor;
- (id<MTLRenderCommandEncoder>)renderCommandEncoderWithDescriptor:(MTLRenderPassDescriptor *)descriptor;
- (void)enqueue;
- (void)commit;
- (void)waitUntilScheduled;
- (void)waitUntilCompleted;
- (void)addScheduledHandler:(MTLCommandBufferHandler)handler;
- (void)addCompletedHandler:(MTLCommandBufferHandler)handler;
- (void)encodeSignalEvent:(id<MTLEvent>)event value:(uint64_t)value;
- (void)encodeWaitForEvent:(id<MTLEvent>)event value:(uint64_t)value;
- (void)pushDebugGroup:(NSString *)name;
- (void)popDebugGroup;
- (void)useResidencySet:(id<MTLResidencySet>)set;
@end
@protocol MTLCommandQueue <NSObject>
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
- (id<MTLCommandBuffer>)commandBuffer;
- (id<MTLCommandBuffer>)commandBufferWithUnretainedReferences;
- (id<MTLCommandBuffer>)commandBufferWithDescriptor:(MTLCommandBufferDescriptor *)descriptor;
- (void)addResidencySet:(id<MTLResidencySet>)set;
- (void)removeResidencySet:(id<MTLResidencySet>)set;
- (void)insertDebugCaptureBoundary;
@end

@protocol MTLResidencySet <NSObject>
@property(readonly) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) uint64_t allocatedSize;
@property(readonly) NSUInteger allocationCount;
- (void)addAllocation:(id<MTLAllocation>)allocation;
- (void)addAllocations:(const id<MTLAllocation> __unsafe_unretained[])allocations count:(NSUInteger)count;
- (void)removeAllocation:(id<MTLAllocation>)allocation;
- (void)removeAllAllocations;
- (BOOL)containsAllocation:(id<MTLAllocation>)allocation;
- (void)commit;
- (void)requestResidency;
- (void)endResidency;
@end
@protocol MTLCaptureScope <NSObject>
@property(copy) NSString *label;
- (void)beginScope;
- (void)endScope;
@end
@interface MTLCaptureDescriptor : NSObject <NSCopying>
@property(retain) id captureObject;
@property MTLCaptureDestination destination;
@property(copy) NSURL *outputURL;
@end
@interface MTLCaptureManager : NSObject
+ (MTLCaptureManager *)sharedCaptureManager;
@property(readonly) BOOL isCapturing;
@property(retain) id<MTLCaptureScope> defaultCaptureScope;
- (BOOL)supportsDestination:(MTLCaptureDestination)destination;
- (id<MTLCaptureScope>)newCaptureScopeWithDevice:(id<MTLDevice>)device;
- (id<MTLCaptureScope>)newCaptureScopeWithCommandQueue:(id<MTLCommandQueue>)queue;
- (BOOL)startCaptureWithDescriptor:(MTLCaptureDescriptor *)descriptor error:(NSError **)error;
- (void)stopCapture;
@end

@protocol MTLDevice <NSObject>
@property(readonly) NSString *name;
@property(readonly) MTLArchitecture *architecture;
@property(readonly) uint64_t registryID;
@property(readonly) MTLSize maxThreadsPerThreadgroup;
@property(readonly) BOOL hasUnifiedMemory;
@property(readonly, getter=isLowPower) BOOL lowPower;
@property(readonly, getter=isHeadless) BOOL headless;
@property(readonly, getter=isRemovable) BOOL removable;
@property(readonly) uint64_t recommendedMaxWorkingSetSize;
@property(readonly) MTLDeviceLocation location;
@property(readonly) NSUInteger maxBufferLength, maxThreadgroupMemoryLength, currentAllocatedSize;
- (BOOL)supportsFamily:(MTLGPUFamily)family;
- (id<MTLCommandQueue>)newCommandQueue;
- (id<MTLCommandQueue>)newCommandQueueWithMaxCommandBufferCount:(NSUInteger)count;
- (id<MTLCommandQueue>)newCommandQueueWithDescriptor:(MTLCommandQueueDescriptor *)descriptor;
- (id<MTLLibrary>)newDefaultLibrary;
- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source options:(MTLCompileOptions *)options error:(NSError **)error;
- (void)newLibraryWithSource:(NSString *)source
                     options:(MTLCompileOptions *)options
           completionHandler:(MTLNewLibraryCompletionHandler)handler;
- (id<MTLLibrary>)newLibraryWithURL:(NSURL *)url error:(NSError **)error;
- (id<MTLLibrary>)newLibraryWithFile:(NSString *)path error:(NSError **)error;
- (id<MTLLibrary>)newLibraryWithData:(dispatch_data_t)data error:(NSError **)error;
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function error:(NSError **)error;
- (void)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                          completionHandler:(MTLNewComputePipelineStateCompletionHandler)handler;
- (id<MTLComputePipelineState>)newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                                                             options:(MTLPipelineOption)options
                                                          reflection:(id *)reflection
                                                               error:(NSError **)error;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithBytes:(const void *)bytes length:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void *)bytes
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void *pointer, NSUInteger length))deallocator;
- (id<MTLHeap>)newHeapWithDescriptor:(MTLHeapDescriptor *)descriptor;
- (MTLSizeAndAlign)heapBufferSizeAndAlignWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLTexture>)newTextureWithDescriptor:(MTLTextureDescriptor *)descriptor;
- (id<MTLFence>)newFence;
- (id<MTLEvent>)newEvent;
- (id<MTLSharedEvent>)newSharedEvent;
- (id<MTLResidencySet>)newResidencySetWithDescriptor:(MTLResidencySetDescriptor *)descriptor error:(NSError **)error;
@end

#ifdef __cplusplus
extern "C" {
#endif
id<MTLDevice> MTLCreateSystemDefaultDevice(void) NS_RETURNS_RETAINED;
NSArray *MTLCopyAllDevices(void) NS_RETURNS_RETAINED;
#ifdef __cplusplus
}
#endif
