// Libraries, functions and pipelines.
#include "fake.h"
#include <stdlib.h>
#include <string.h>

// The types that a function constant of the double may have, by the letters of type
// encodings.
static const struct { NSUInteger type; char letter; int size; } constants[] = {
  {MTLDataTypeFloat, 'f', 4}, {MTLDataTypeInt, 'i', 4}, {MTLDataTypeUInt, 'I', 4}, {MTLDataTypeShort, 's', 2}, {MTLDataTypeUShort, 'S', 2},
  {MTLDataTypeChar, 'c', 1}, {MTLDataTypeUChar, 'C', 1}, {MTLDataTypeBool, 'B', 1}, {MTLDataTypeLong, 'q', 8}, {MTLDataTypeULong, 'Q', 8},
};

@implementation MTLFunctionConstantValues
- (id)init {
  if ((self = [super init])) values = [NSMutableDictionary new];
  return self;
}
- (void)dealloc {
  [values release];
  [super dealloc];
}
- (void)setConstantValue:(const void *)value type:(NSUInteger)type atIndex:(NSUInteger)index {
  const char *where = "-[MTLFunctionConstantValues setConstantValue:type:atIndex:]";
  REQUIRE(value, where, "value must not be nil.");
  REQUIRE(index < 65536, where, "index (%lu) must be < 65536", index);
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    if (constants[i].type != type) continue;
    char data[9] = {constants[i].letter};
    memcpy(data + 1, value, constants[i].size);
    [values setObject:[NSData dataWithBytes:data length:sizeof data] forKey:[NSNumber numberWithUnsignedLong:index]];
    return;
  }
  fake_fail(where, "type %lu is not one of a function constant", type);
}
@end

@implementation FakeFunction
- (NSUInteger)functionType { return plan_has("vertex", kernel.name) ? MTLFunctionTypeVertex : MTLFunctionTypeKernel; }
@end

@implementation FakePipeline
- (NSUInteger)maxTotalThreadsPerThreadgroup { return kernel.max_threads; }
- (NSUInteger)threadExecutionWidth {
  const char *width = plan_value("width");
  return width ? (NSUInteger)atol(width) : 32;
}
- (NSUInteger)staticThreadgroupMemoryLength { return kernel.static_memory; }
@end

@implementation FakeLibrary
- (FakeFunction *)function:(NSString *)name of:(uint64_t)library {
  FakeFunction *f = [FakeFunction new];
  if (!go_kernel(library, [name UTF8String], &f->kernel)) {
    [f release];
    return nil;
  }
  return f;
}
- (id)newFunctionWithName:(NSString *)name {
  REQUIRE(name, "-[MTLDebugLibrary newFunctionWithName:]", "functionName must not be nil.");
  return plan_refuses("newFunctionWithName:") ? nil : [self function:name of:handle];
}
- (id)newFunctionWithName:(NSString *)name constantValues:(MTLFunctionConstantValues *)values error:(NSError **)error {
  const char *where = "-[MTLDebugLibrary newFunctionWithName:constantValues:error:]";
  REQUIRE(name, where, "functionName must not be nil.");
  REQUIRE([values isKindOfClass:[MTLFunctionConstantValues class]], where, "constantValues is a %s", class_getName([values class]));
  if (error) *error = nil;
  if (plan_refuses("newFunctionWithName:constantValues:error:")) return nil;
  @synchronized([FakeLibrary class]) {
    for (NSNumber *index in values->values) {
      const char *data = [[values->values objectForKey:index] bytes];
      go_constant(handle, [index unsignedLongValue], data[0], data + 1);
    }
    char *log = calloc(1, 1 << 16);
    uint64_t specialised = go_specialise(handle, log);
    FakeFunction *f = specialised ? [self function:name of:specialised] : nil;
    if (!f && error) *error = fake_error(@"MTLLibraryErrorDomain", specialised ? MTLLibraryErrorFunctionNotFound : MTLLibraryErrorCompileFailure,
                                         [NSString stringWithUTF8String:specialised ? "function not found" : log], nil);
    free(log);
    return f;
  }
}
@end
