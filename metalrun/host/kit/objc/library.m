// Libraries, functions, pipelines and descriptors.
#include <stdlib.h>
#include <string.h>
#include "conform.h"

NSString *const MTLLibraryErrorDomain = @"MTLLibraryErrorDomain";
NSString *const MTLCommandBufferErrorDomain = @"MTLCommandBufferErrorDomain";

#define COPIES - (id)copyWithZone:(NSZone *)zone { return [self retain]; }

@implementation MTLCompileOptions
@synthesize fastMathEnabled = _fastMathEnabled;
COPIES
- (id)init {
  if ((self = [super init])) [self setFastMathEnabled:YES];
  return self;
}
- (void)setFastMathEnabled:(BOOL)fast {
  _fastMathEnabled = fast;
  self.mathMode = fast ? MTLMathModeFast : MTLMathModeSafe;
  self.mathFloatingPointFunctions = fast ? MTLMathFloatingPointFunctionsFast : MTLMathFloatingPointFunctionsPrecise;
}
- (BOOL)fastMathEnabled { return _fastMathEnabled; }
- (void)dealloc {
  [_preprocessorMacros release];
  [_installName release];
  [_libraries release];
  [super dealloc];
}
@end

struct value {
  uint64_t index, type, bits;
};

@interface MTLFunctionConstantValues () {
@public
  NSMutableDictionary *byIndex, *byName; // NSData of struct value
}
@end
@implementation MTLFunctionConstantValues
- (id)init {
  if ((self = [super init])) {
    byIndex = [NSMutableDictionary new];
    byName = [NSMutableDictionary new];
  }
  return self;
}
- (void)dealloc {
  [byIndex release];
  [byName release];
  [super dealloc];
}
- (id)copyWithZone:(NSZone *)zone {
  MTLFunctionConstantValues *v = [MTLFunctionConstantValues new];
  [v->byIndex addEntriesFromDictionary:byIndex];
  [v->byName addEntriesFromDictionary:byName];
  return v;
}
static NSUInteger size_of(MTLDataType type) {
  switch (type) {
  case MTLDataTypeBool: case MTLDataTypeChar: case MTLDataTypeUChar: return 1;
  case MTLDataTypeShort: case MTLDataTypeUShort: case MTLDataTypeHalf: return 2;
  case MTLDataTypeLong: case MTLDataTypeULong: return 8;
  default: return 4;
  }
}
static NSData *record(const void *value, MTLDataType type, NSUInteger index) {
  struct value v = {index, type, 0};
  memcpy(&v.bits, value, size_of(type));
  return [NSData dataWithBytes:&v length:sizeof v];
}
- (void)setConstantValue:(const void *)value type:(MTLDataType)type atIndex:(NSUInteger)index {
  byIndex[@(index)] = record(value, type, index);
}
- (void)setConstantValues:(const void *)values type:(MTLDataType)type withRange:(NSRange)range {
  for (NSUInteger i = 0; i < range.length; i++)
    [self setConstantValue:(const char *)values + i * size_of(type) type:type atIndex:range.location + i];
}
- (void)setConstantValue:(const void *)value type:(MTLDataType)type withName:(NSString *)name {
  byName[name] = record(value, type, 0);
}
- (void)reset {
  [byIndex removeAllObjects];
  [byName removeAllObjects];
}
@end

@implementation MTLFunctionDescriptor
COPIES
+ (MTLFunctionDescriptor *)functionDescriptor { return conform_autoreleased([self new]); }
- (void)dealloc {
  [_name release];
  [_specializedName release];
  [_constantValues release];
  [super dealloc];
}
@end
@implementation MTLComputePipelineDescriptor
COPIES
- (void)reset {
  self.label = nil;
  self.computeFunction = nil;
  self.maxTotalThreadsPerThreadgroup = 0;
}
- (void)dealloc {
  [_label release];
  [(id)_computeFunction release];
  [_binaryArchives release];
  [super dealloc];
}
@end
@implementation MTLCommandQueueDescriptor
COPIES
@end
@implementation MTLCommandBufferDescriptor
COPIES
- (id)init {
  if ((self = [super init])) _retainedReferences = YES;
  return self;
}
@end
@implementation MTLComputePassDescriptor
COPIES
+ (MTLComputePassDescriptor *)computePassDescriptor { return conform_autoreleased([self new]); }
@end
@implementation MTLBlitPassDescriptor
COPIES
+ (MTLBlitPassDescriptor *)blitPassDescriptor { return conform_autoreleased([self new]); }
@end
@implementation MTLHeapDescriptor
COPIES
- (id)init {
  if ((self = [super init])) _storageMode = MTLStorageModePrivate;
  return self;
}
- (MTLResourceOptions)resourceOptions {
  return _cpuCacheMode | _storageMode << 4 | _hazardTrackingMode << 8;
}
- (void)setResourceOptions:(MTLResourceOptions)options {
  _cpuCacheMode = options & 0xf;
  _storageMode = options >> 4 & 0xf;
  _hazardTrackingMode = options >> 8 & 0x3;
}
@end
@implementation MTLResidencySetDescriptor
COPIES
- (void)dealloc {
  [_label release];
  [super dealloc];
}
@end

@implementation ConformLibrary
- (NSString *)text:(uint64_t (*)(uint64_t, char *, uint64_t))read {
  char *text = calloc(1, textRoom);
  NSUInteger n = read(handle, text, textRoom);
  if (n >= textRoom) {
    text = realloc(text, n + 1);
    read(handle, text, n + 1);
  }
  NSString *s = [NSString stringWithUTF8String:text];
  free(text);
  return s;
}
- (NSArray *)functionNames {
  NSString *text = [self text:conform_library_names];
  return [text length] ? [text componentsSeparatedByString:@"\n"] : @[];
}
- (id<MTLFunction>)newFunctionWithName:(NSString *)name {
  if (![[self functionNames] containsObject:name]) return nil;
  return [self newFunctionWithName:name constantValues:nil error:NULL];
}
- (id<MTLFunction>)newFunctionWithName:(NSString *)name
                        constantValues:(MTLFunctionConstantValues *)values
                                 error:(NSError **)error {
  NSMutableData *all = [NSMutableData data];
  if (values) {
    for (NSNumber *i in values->byIndex) [all appendData:values->byIndex[i]];
    if ([values->byName count])
      for (NSString *line in [[self text:conform_library_constants] componentsSeparatedByString:@"\n"]) {
        NSArray *cells = [line componentsSeparatedByString:@"\t"];
        NSData *given = [cells count] > 1 ? values->byName[cells[1]] : nil;
        if (!given) continue;
        struct value v = *(const struct value *)[given bytes];
        v.index = [cells[0] intValue];
        [all appendBytes:&v length:sizeof v];
      }
  }
  char *log = calloc(1, textRoom);
  uint64_t h = conform_new_function(handle, [name UTF8String], [all bytes], [all length] / sizeof(struct value), log, textRoom);
  if (error) *error = h ? nil : conform_error(MTLLibraryErrorDomain, MTLLibraryErrorFunctionNotFound, log);
  free(log);
  if (!h) return nil;
  ConformFunction *f = [ConformFunction new];
  f->handle = h;
  f->name = [name copy];
  return f;
}
- (id<MTLFunction>)newFunctionWithDescriptor:(MTLFunctionDescriptor *)descriptor error:(NSError **)error {
  return [self newFunctionWithName:descriptor.name constantValues:descriptor.constantValues error:error];
}
@end

@implementation ConformFunction
- (NSString *)name { return name; }
- (MTLFunctionType)functionType { return MTLFunctionTypeKernel; }
- (void)dealloc {
  [name release];
  [super dealloc];
}
@end

@implementation ConformPipeline
- (NSUInteger)maxTotalThreadsPerThreadgroup { return conform_pipeline_threads(handle); }
- (NSUInteger)threadExecutionWidth { return 32; }
- (NSUInteger)staticThreadgroupMemoryLength { return conform_pipeline_memory(handle); }
@end
