// The device, its buffers, and its compiler.
#include "fake.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t (*go_compile)(const char *, uint64_t, int64_t, int64_t, char *);
uint64_t (*go_kernel)(uint64_t, const char *, fake_kernel *);
void (*go_constant)(uint64_t, uint64_t, uint64_t, const void *);
uint64_t (*go_specialise)(uint64_t, char *);
void (*go_run)(fake_dispatch *);
void fake_hooks(void *compile, void *kernel, void *constant, void *specialise, void *run) {
  go_compile = compile;
  go_kernel = kernel;
  go_constant = constant;
  go_specialise = specialise;
  go_run = run;
}

NSUInteger fake_last_options[4]; // of the last compilation and the last command buffer
NSUInteger fake_option(int i) { return fake_last_options[i]; }

// family is the Apple GPU family of the device, 0 for another vendor's. 7 is the M1; the
// paravirtual device of hosted Macs reports 5.
static long family(void) {
  const char *planned = plan_value("family");
  return planned ? atol(planned) : plan_has("paravirtual", NULL) ? 5 : 7;
}

// Limits by family, of Apple's table of feature sets.
static NSUInteger max_threads(void) { return family() == 0 || family() >= 4 ? 1024 : 512; }
static NSUInteger threadgroup_memory(void) { return family() == 0 || family() >= 4 ? 32768 : 16352; }
NSUInteger fake_threadgroup_memory(void) { return threadgroup_memory(); }
NSUInteger fake_constant_alignment(void) { return family() >= 2 ? 4 : 32; }
static const NSUInteger max_buffer = 1UL << 32;

static long pipelines; // that have been asked for since the device was switched on
void fake_forget(void) { pipelines = 0; }

static BOOL macOS14(void) { return plan_has("macos14", NULL); }

@implementation MTLCompileOptions
- (id)init {
  if ((self = [super init])) version = mode = functions = -1;
  return self;
}
- (BOOL)respondsToSelector:(SEL)selector {
  if (macOS14() && (sel_isEqual(selector, @selector(setMathMode:)) || sel_isEqual(selector, @selector(setMathFloatingPointFunctions:)))) return NO;
  return [super respondsToSelector:selector];
}
- (void)setLanguageVersion:(NSUInteger)v {
  REQUIRE(v >> 16 >= 1 && v >> 16 <= 4 && (v & 0xffff) <= 4, "-[MTLCompileOptions setLanguageVersion:]", "%lu is not a MTLLanguageVersion", v);
  version = v;
}
- (void)setMathMode:(NSInteger)m {
  REQUIRE(!macOS14(), "NSForwarding", "-[MTLCompileOptions setMathMode:]: unrecognized selector sent to instance");
  REQUIRE(m >= MTLMathModeSafe && m <= MTLMathModeFast, "-[MTLCompileOptions setMathMode:]", "mathMode %ld is not valid", m);
  mode = m;
}
- (void)setMathFloatingPointFunctions:(NSInteger)f {
  REQUIRE(!macOS14(), "NSForwarding", "-[MTLCompileOptions setMathFloatingPointFunctions:]: unrecognized selector sent to instance");
  REQUIRE(f >= MTLMathFloatingPointFunctionsFast && f <= MTLMathFloatingPointFunctionsPrecise, "-[MTLCompileOptions setMathFloatingPointFunctions:]", "%ld is not valid", f);
  functions = f;
}
- (void)setFastMathEnabled:(BOOL)fast {
  mode = fast ? MTLMathModeFast : MTLMathModeSafe;
  functions = fast ? MTLMathFloatingPointFunctionsFast : MTLMathFloatingPointFunctionsPrecise;
}
@end

@implementation FakeBuffer
- (void *)contents { return plan_refuses("contents") ? NULL : bytes; }
- (NSUInteger)length { return length; }
- (void)dealloc {
  memset(bytes, 0xdd, length);
  free(bytes);
  [super dealloc];
}
@end

@interface FakeArchitecture : FakeObject @end
@implementation FakeArchitecture
- (NSString *)name { return @"applegpu_double"; }
@end

// lacks obeys lack=FEATURE, and refuses what the device's family does not have.
static BOOL lacks(const fake_kernel *kernel) {
  const char *lack = plan_value("lack");
  char feature[300];
  snprintf(feature, sizeof feature, " %s ", lack ? lack : "");
  return (lack && strstr(kernel->features, feature)) || (family() && (uint64_t)family() < kernel->family);
}

@interface FakeDevice : FakeObject {
  FakeArchitecture *architecture;
}
@end
@implementation FakeDevice
- (id)init {
  if ((self = [super init])) architecture = [FakeArchitecture new];
  return self;
}
- (void)dealloc {
  [architecture release];
  [super dealloc];
}
- (BOOL)respondsToSelector:(SEL)selector {
  if (plan_has("macos13", NULL) && sel_isEqual(selector, @selector(architecture))) return NO;
  return [super respondsToSelector:selector];
}
- (NSString *)name {
  if (plan_has("paravirtual", NULL)) return @"Apple Paravirtual device";
  const char *chip = plan_value("chip");
  return chip ? [NSString stringWithFormat:@"Apple %s", chip] : @"Double of Metal";
}
- (id)architecture {
  REQUIRE(!plan_has("macos13", NULL), "NSForwarding", "-[MTLDevice architecture]: unrecognized selector sent to instance");
  return plan_refuses("architecture") ? nil : architecture;
}
- (NSUInteger)maxThreadgroupMemoryLength { return threadgroup_memory(); }
- (NSUInteger)maxBufferLength { return max_buffer; }
- (uint64_t)recommendedMaxWorkingSetSize { return 3UL << 30; }
- (BOOL)supportsFamily:(NSInteger)f {
  if (f >= MTLGPUFamilyApple1 && f < MTLGPUFamilyApple1 + 100) return f < MTLGPUFamilyApple1 + family();
  if (f == MTLGPUFamilyMetal3) return family() >= 7;
  return f == MTLGPUFamilyMac2 || (f >= MTLGPUFamilyCommon1 && f <= MTLGPUFamilyCommon3);
}
- (id)newCommandQueue { return plan_refuses("newCommandQueue") ? nil : [FakeQueue new]; }

- (FakeBuffer *)buffer:(NSUInteger)length options:(NSUInteger)options where:(const char *)where {
  REQUIRE(length > 0, where, "Buffer Validation\nCannot create buffer of zero length.");
  REQUIRE(length <= max_buffer, where, "Buffer Validation\nLength %lu must not exceed %lu.", length, max_buffer);
  REQUIRE(options == MTLResourceStorageModeShared, where, "resource options 0x%lx: the host could not read the contents", options);
  FakeBuffer *b = [FakeBuffer new];
  b->length = length;
  REQUIRE(posix_memalign(&b->bytes, 256, length) == 0, where, "out of memory");
  return b;
}
- (id)newBufferWithBytes:(const void *)bytes length:(NSUInteger)length options:(NSUInteger)options {
  if (plan_refuses("newBufferWithBytes:length:options:")) return nil;
  REQUIRE(bytes, "-[MTLDebugDevice newBufferWithBytes:length:options:]", "pointer must not be nil.");
  FakeBuffer *b = [self buffer:length options:options where:"-[MTLDebugDevice newBufferWithBytes:length:options:]"];
  memcpy(b->bytes, bytes, length);
  return b;
}
- (id)newBufferWithLength:(NSUInteger)length options:(NSUInteger)options {
  if (plan_refuses("newBufferWithLength:options:")) return nil;
  FakeBuffer *b = [self buffer:length options:options where:"-[MTLDebugDevice newBufferWithLength:options:]"];
  memset(b->bytes, 0, length);
  return b;
}

// rejects obeys reject=WORD: the compiler refuses the first such word, as Metal may refuse
// what another front end lets pass.
- (BOOL)rejects:(const char *)source log:(char *)log {
  const char *word = plan_value("reject"), *found = word ? strstr(source, word) : NULL;
  if (!found) return NO;
  int line = 1;
  const char *begin = source;
  for (const char *p = source; p < found; p++)
    if (*p == '\n') { line++; begin = p + 1; }
  int col = found - begin + 1;
  snprintf(log, 1 << 16, "program_source:%d:%d: error: use of undeclared identifier '%s'\n%.*s\n%*s\nprogram_source:%d:%d: warning: unused variable\n",
           line, col, word, (int)strcspn(begin, "\n"), begin, col, "^", line, col);
  return YES;
}

// pragma obeys pragma=error and pragma=warning: a compiler that does not know the pragma of math modes refuses it, or
// says so and goes on.
static BOOL pragma(const char *source, const char *as, char *log) {
  const char *planned = plan_value("pragma"), *found = strstr(source, "#pragma METAL fp math_mode");
  if (!planned || strcmp(planned, as) || !found) return NO;
  int line = 1;
  for (const char *p = source; p < found; p++)
    if (*p == '\n') line++;
  snprintf(log, 512, "program_source:%d:16: %s: unknown pragma ignored [-Wunknown-pragmas]\n", line, as);
  return YES;
}

- (id)newLibraryWithSource:(NSString *)source options:(MTLCompileOptions *)options error:(NSError **)error {
  REQUIRE(source, "-[MTLDebugDevice newLibraryWithSource:options:error:]", "source must not be nil.");
  REQUIRE([options isKindOfClass:[MTLCompileOptions class]], "-[MTLDebugDevice newLibraryWithSource:options:error:]", "options is a %s", class_getName([options class]));
  REQUIRE(options->version != (NSUInteger)-1 && options->mode >= 0 && options->functions >= 0, "-[MTLDebugDevice newLibraryWithSource:options:error:]", "options left to the SDK's defaults");
  if (error) *error = nil;
  if (plan_refuses("newLibraryWithSource:options:error:")) return nil;
  __sync_lock_test_and_set(&fake_last_options[0], options->version);
  __sync_lock_test_and_set(&fake_last_options[1], options->mode);
  __sync_lock_test_and_set(&fake_last_options[2], options->functions);
  char *log = calloc(1, 1 << 16);
  uint64_t handle = [self rejects:[source UTF8String] log:log] || pragma([source UTF8String], "error", log) ? 0 : go_compile([source UTF8String], options->version, options->mode, options->functions, log);
  FakeLibrary *library = nil;
  NSString *text = [NSString stringWithUTF8String:log];
  free(log);
  if (handle) {
    library = [FakeLibrary new];
    library->handle = handle;
    char warning[512];
    if (error && pragma([source UTF8String], "warning", warning))
      *error = fake_error(@"MTLLibraryErrorDomain", MTLLibraryErrorCompileWarning, [NSString stringWithUTF8String:warning], nil);
    if (plan_has("warnings", NULL) && error)
      *error = fake_error(@"MTLLibraryErrorDomain", MTLLibraryErrorCompileWarning, @"program_source:1:1: warning: unused variable 'x' [-Wunused-variable]\n", nil);
  } else if (error) {
    if (plan_has("oldlog", NULL)) text = [@"Compilation failed: \n\n" stringByAppendingString:text];
    if (plan_has("mutelog", NULL)) text = @"Compiler encountered an internal error";
    *error = fake_error(@"MTLLibraryErrorDomain", MTLLibraryErrorCompileFailure, text, nil);
  }
  return library;
}
- (id)newComputePipelineStateWithFunction:(FakeFunction *)function error:(NSError **)error {
  const char *where = "-[MTLDebugDevice newComputePipelineStateWithFunction:error:]";
  REQUIRE(function, where, "computeFunction must not be nil.");
  REQUIRE([function isKindOfClass:[FakeFunction class]], where, "function is a %s", class_getName([function class]));
  if (error) *error = nil;
  if (plan_refuses("newComputePipelineStateWithFunction:error:")) return nil;
  if (function->kernel.static_memory > threadgroup_memory()) {
    if (error) *error = fake_error(@"AGXMetal", 3, [NSString stringWithFormat:@"Threadgroup memory size (%lu) exceeds the maximum threadgroup memory allowed (%lu)",
                                                    (unsigned long)function->kernel.static_memory, (unsigned long)threadgroup_memory()], nil);
    return nil;
  }
  const char *few = plan_value("pipelines"); // after so many the compiler refuses everything
  if (few && __sync_add_and_fetch(&pipelines, 1) > atol(few)) {
    if (error) *error = fake_error(@"AGXMetal", 2, @"Compilation failed", nil);
    return nil;
  }
  if (lacks(&function->kernel)) {
    if (error) *error = fake_error(@"AGXMetal", 2, @"Encountered unlowered function call to air.unknown", nil);
    return nil;
  }
  FakePipeline *p = [FakePipeline new];
  p->kernel = function->kernel;
  if (p->kernel.max_threads > max_threads()) p->kernel.max_threads = max_threads();
  const char *most = plan_for("threads", p->kernel.name); // as registers limit them
  if (most && p->kernel.max_threads > (uint64_t)atol(most)) p->kernel.max_threads = atol(most);
  return p;
}
@end

// A device that is not quite the one of Metal's headers.
@interface FakeOtherDevice : FakeDevice @end
@implementation FakeOtherDevice
- (id)newBufferWithLength:(unsigned)length options:(unsigned)options { return [super newBufferWithLength:length options:options]; }
@end

// What frameworks print when a device is made: on stderr, and some on stdout.
static void greet(void) {
  const char *layer = getenv("MTL_DEBUG_LAYER");
  if (layer && strcmp(layer, "0")) fprintf(stderr, "2026-01-02 03:04:05.678 conform[42:1234] Metal API Validation Enabled\n");
  if (shader_validation()) fprintf(stderr, "2026-01-02 03:04:05.678 conform[42:1234] Metal GPU Validation Enabled\n");
  if (plan_has("chatter", NULL)) printf("a framework prints\n"), fflush(stdout);
}

static id new_device(void) { greet(); return plan_has("otherdevice", NULL) ? [FakeOtherDevice new] : [FakeDevice new]; }
id MTLCreateSystemDefaultDevice(void) { return plan_has("nodefault", NULL) || plan_has("nodevice", NULL) ? nil : new_device(); }
id MTLCopyAllDevices(void) {
  if (plan_has("nodevice", NULL)) return [NSArray new];
  id device = new_device();
  id all = [[NSArray alloc] initWithObjects:&device count:1];
  [device release];
  return all;
}

// What GNUstep's NSProcessInfo lacks.
@implementation NSProcessInfo (Condition)
- (NSInteger)thermalState { return plan_value("thermal") ? atol(plan_value("thermal")) : 0; }
- (_Bool)isLowPowerModeEnabled { return plan_has("lowpower", NULL); }
@end
