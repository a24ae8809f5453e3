// Queues, command buffers and encoders. A command buffer executes when somebody waits
// for it: who does not wait finds the buffers as they were.
#include "fake.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

NSUInteger fake_threadgroup_memory(void);
NSUInteger fake_constant_alignment(void);

static BOOL ignored; // the device takes no more from this process
static BOOL spoilt;  // it computes nonsense
void fake_restart(void) { ignored = spoilt = NO; }
extern NSUInteger fake_last_options[4];

@class FakeCommands;
@interface FakeEncoder : FakeObject {
@public
  FakePipeline *pipeline;
  fake_dispatch state;
  NSMutableArray *kept;
  NSMutableData *dispatches;
  BOOL ended;
}
@end
@interface FakeCommands : FakeObject {
@public
  NSUInteger status;
  FakeEncoder *encoder;
  double start, end;
  NSError *error;
}
@end

@implementation FakeEncoder
- (id)init {
  if ((self = [super init])) {
    kept = [NSMutableArray new];
    dispatches = [NSMutableData new];
  }
  return self;
}
- (void)dealloc {
  REQUIRE(ended, "-[IOGPUMetalCommandEncoder dealloc]", "Command encoder released without endEncoding");
  [kept release];
  [dispatches release];
  [super dealloc];
}
- (void)encoding:(const char *)where { REQUIRE(!ended, where, "encoding after endEncoding"); }
- (void)setComputePipelineState:(FakePipeline *)p {
  const char *where = "-[MTLDebugComputeCommandEncoder setComputePipelineState:]";
  [self encoding:where];
  REQUIRE([p isKindOfClass:[FakePipeline class]], where, "computePipelineState is a %s", p ? class_getName([p class]) : "nil");
  [kept addObject:p];
  pipeline = p;
  state.kernel = p->kernel.handle;
}
- (void)setBuffer:(FakeBuffer *)b offset:(NSUInteger)offset atIndex:(NSUInteger)index {
  const char *where = "-[MTLDebugComputeCommandEncoder setBuffer:offset:atIndex:]";
  [self encoding:where];
  REQUIRE(index < maxTable, where, "index(%lu) must be < 31.", index);
  REQUIRE([b isKindOfClass:[FakeBuffer class]], where, "buffer is a %s", b ? class_getName([b class]) : "nil");
  REQUIRE(offset < b->length, where, "offset(%lu) must be < [buffer length](%lu).", offset, b->length);
  [kept addObject:b];
  state.buffer[index] = (fake_binding){1, offset, b->length - offset, 0, b->bytes};
}
- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index {
  const char *where = "-[MTLDebugComputeCommandEncoder setBytes:length:atIndex:]";
  [self encoding:where];
  REQUIRE(index < maxTable, where, "index(%lu) must be < 31.", index);
  REQUIRE(bytes, where, "bytes must not be nil.");
  REQUIRE(length >= 1 && length <= 4096, where, "length(%lu) must be <= 4096.", length);
  NSData *copy = [NSData dataWithBytes:bytes length:length];
  [kept addObject:copy];
  state.buffer[index] = (fake_binding){1, 0, length, 1, (void *)[copy bytes]};
}
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index {
  const char *where = "-[MTLDebugComputeCommandEncoder setThreadgroupMemoryLength:atIndex:]";
  [self encoding:where];
  REQUIRE(index < maxTable, where, "index(%lu) must be < 31.", index);
  REQUIRE(length % 16 == 0, where, "length(%lu) must be a multiple of 16 bytes.", length);
  state.memory[index] = length;
}

// What validation says of the arguments when a dispatch is encoded.
- (void)validate {
  const char *where = "validateComputeFunctionArguments";
  fake_kernel *k = &pipeline->kernel;
  NSUInteger memory = k->static_memory;
  for (int i = 0; i < maxTable; i++) memory += state.memory[i];
  REQUIRE(memory <= fake_threadgroup_memory(), where, "Compute Function(%s): total threadgroup memory length (%lu) must be <= %lu.", k->name, memory, fake_threadgroup_memory());
  for (uint64_t i = 0; i < k->count; i++) {
    uint64_t index = k->argument[i].index;
    if (k->argument[i].threadgroup) {
      REQUIRE(state.memory[index], where, "Compute Function(%s): missing threadgroupMemory binding at index %lu.", k->name, index);
      continue;
    }
    fake_binding *b = &state.buffer[index];
    REQUIRE(b->bound, where, "Compute Function(%s): missing Buffer binding at index %lu.", k->name, index);
    NSUInteger align = k->argument[i].align;
    if (k->argument[i].constant && align < fake_constant_alignment()) align = fake_constant_alignment();
    REQUIRE(b->offset % align == 0, where, "Compute Function(%s): the offset into the buffer that is bound at buffer index %lu must be a multiple of %lu but was set to %lu.", k->name, index, align, b->offset);
    REQUIRE(!k->argument[i].size || b->length >= k->argument[i].size, where, "Compute Function(%s): argument at index %lu has a length of %lu, must be >= %lu.", k->name, index, b->length, k->argument[i].size);
  }
}
- (void)dispatch:(MTLSize)grid of:(MTLSize)group threads:(BOOL)threads where:(const char *)where {
  [self encoding:where];
  REQUIRE(pipeline, where, "dispatch without a compute pipeline state");
  REQUIRE(grid.width && grid.height && grid.depth, where, "(%lu, %lu, %lu) must not be 0", grid.width, grid.height, grid.depth);
  REQUIRE(group.width && group.height && group.depth, where, "threadsPerThreadgroup(%lu, %lu, %lu) must not be 0", group.width, group.height, group.depth);
  REQUIRE(group.width <= 1024 && group.height <= 1024 && group.depth <= 1024 && group.width * group.height * group.depth <= pipeline->kernel.max_threads, where,
          "(threadsPerThreadgroup.width(%lu) * threadsPerThreadgroup.height(%lu) * threadsPerThreadgroup.depth(%lu)) must be <= %lu. (kernel threadgroup size limit)",
          group.width, group.height, group.depth, (unsigned long)pipeline->kernel.max_threads);
  [self validate];
  memcpy(state.grid, &grid, sizeof grid);
  memcpy(state.group, &group, sizeof group);
  state.threads = threads;
  [dispatches appendBytes:&state length:sizeof state];
}
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads {
  [self dispatch:groups of:threads threads:NO where:"-[MTLDebugComputeCommandEncoder dispatchThreadgroups:threadsPerThreadgroup:]"];
}
- (void)dispatchThreads:(MTLSize)threads threadsPerThreadgroup:(MTLSize)group {
  [self dispatch:threads of:group threads:YES where:"-[MTLDebugComputeCommandEncoder dispatchThreads:threadsPerThreadgroup:]"];
}
- (void)endEncoding {
  REQUIRE(!ended, "-[MTLDebugComputeCommandEncoder endEncoding]", "endEncoding has already been called.");
  ended = YES;
}
@end

@implementation MTLCommandBufferDescriptor
- (void)setErrorOptions:(NSUInteger)options {
  REQUIRE(options <= MTLCommandBufferErrorOptionEncoderExecutionStatus, "-[MTLCommandBufferDescriptor setErrorOptions:]", "%lu is not a MTLCommandBufferErrorOption", options);
  errorOptions = options;
}
@end

// What the layer below Metal says: the name of its error, and Metal's code beside it.
static const struct { const char *name, *text; unsigned below; NSInteger code; BOOL resets; } failures[] = {
  {"Timeout", "Caused GPU Timeout Error", 2, MTLCommandBufferErrorTimeout, YES},
  {"Hang", "Caused GPU Hang Error", 3, MTLCommandBufferErrorTimeout, YES},
  {"SubmissionsIgnored", "Ignored (for causing prior/excessive GPU errors)", 4, MTLCommandBufferErrorAccessRevoked, YES},
  {"InnocentVictim", "Discarded (victim of GPU error/recovery)", 5, MTLCommandBufferErrorTimeout, NO},
  {"OutOfMemory", "Insufficient Memory", 8, MTLCommandBufferErrorOutOfMemory, NO},
  {"PageFault", "Caused GPU Address Fault Error", 11, MTLCommandBufferErrorPageFault, YES},
  {"StackOverflow", "Caused GPU Stack Overflow Error", 12, MTLCommandBufferErrorStackOverflow, YES},
  {"ImpactingInteractivity", "Impacting Interactivity", 14, MTLCommandBufferErrorInternal, YES},
  {"Internal", "Internal Error", 14, MTLCommandBufferErrorInternal, YES},
};

@implementation FakeCommands
- (void)dealloc {
  [encoder release];
  [error release];
  [super dealloc];
}
- (id)computeCommandEncoder {
  REQUIRE(status == MTLCommandBufferStatusNotEnqueued && (!encoder || encoder->ended), "-[IOGPUMetalCommandBuffer computeCommandEncoder]", "A command encoder is already encoding to this command buffer");
  if (plan_refuses("computeCommandEncoder")) return nil;
  REQUIRE(!encoder, "-[FakeCommands computeCommandEncoder]", "the double takes one encoder");
  encoder = [FakeEncoder new];
  return [[encoder retain] autorelease];
}
- (void)commit {
  REQUIRE(status == MTLCommandBufferStatusNotEnqueued, "-[IOGPUMetalCommandBuffer validate]", "commit an already committed command buffer");
  REQUIRE(!encoder || encoder->ended, "-[IOGPUMetalCommandBuffer validate]", "commit command buffer with uncommitted encoder");
  status = MTLCommandBufferStatusCommitted;
}
- (void)fail:(const char *)name with:(NSString *)detail {
  status = MTLCommandBufferStatusError;
  NSInteger code = atol(name);
  if (code > 0 || !strcmp(name, "0")) { // a code of Metal's, with nothing below
    error = [fake_error(@"MTLCommandBufferErrorDomain", code, @"Execution of the command buffer was aborted due to an error during execution.", nil) retain];
    return;
  }
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    if (strcmp(failures[i].name, name)) continue;
    NSString *below = [NSString stringWithFormat:@"%s (%08x:kIOGPUCommandBufferCallbackError%s)%@", failures[i].text, failures[i].below, failures[i].name, detail];
    NSString *text = @"Execution of the command buffer was aborted due to an error during execution.";
    BOOL apart = plan_has("underlying", NULL);
    if (!apart) text = [NSString stringWithFormat:@"%@ %@", text, below];
    error = [fake_error(@"MTLCommandBufferErrorDomain", failures[i].code, text, apart ? fake_error(@"IOGPUCommandQueueErrorDomain", failures[i].below, below, nil) : nil) retain];
    if (failures[i].resets) ignored = YES;
    return;
  }
  fake_fail("plan", "no error is called %s", name);
}
- (void)execute {
  const char *kernel = encoder && encoder->pipeline ? encoder->pipeline->kernel.name : "", *planned = plan_value("wedge");
  char wedge[512] = "";
  if (planned) strcpy(wedge, planned);
  if (*wedge && access(wedge, F_OK) == 0) pause(); // the driver hangs for every process
  if (ignored) {
    [self fail:"SubmissionsIgnored" with:@""];
    return;
  }
  if (plan_has("hang", kernel)) {
    if (*wedge) close(open(wedge, O_CREAT | O_WRONLY, 0600));
    for (;;) pause();
  }
  if (plan_has("abort", kernel)) abort();
  if (plan_has("assert", kernel)) fake_fail("validateComputeFunctionArguments:1114", "Compute Function Validation\nCompute Function(%s): missing Buffer binding at index 0 for x[0].\n", kernel);
  if (plan_has("chatter", NULL)) printf("the driver prints\n"), fflush(stdout);
  if ((planned = plan_for("once", kernel)) && access(planned, F_OK)) { // fails in the first process alone
    close(open(planned, O_CREAT | O_WRONLY, 0600));
    [self fail:"InnocentVictim" with:@""];
    return;
  }
  if ((planned = plan_for("error", kernel))) {
    [self fail:planned with:@""];
    return;
  }
  if ((planned = plan_for("status", kernel))) {
    status = atol(planned);
    return;
  }
  double seconds = 0;
  size_t count = encoder ? [encoder->dispatches length] / sizeof(fake_dispatch) : 0;
  for (size_t i = 0; i < count; i++) {
    fake_dispatch *d = (fake_dispatch *)[encoder->dispatches mutableBytes] + i;
    go_run(d);
    seconds += d->seconds;
    if (spoilt)
      for (int j = 0; j < maxTable; j++)
        if (d->buffer[j].bound && !d->buffer[j].is_inline && d->buffer[j].length) *((char *)d->buffer[j].data + d->buffer[j].offset) ^= 1;
    if (plan_has("spoil", kernel)) spoilt = YES;
    if (plan_has("corrupt", kernel)) *((char *)d->buffer[0].data + d->buffer[0].offset) ^= 1;
    if (d->fault[0] && shader_validation()) { // the access is left out, and only stderr hears of it
      const char *report = getenv("MTL_SHADER_VALIDATION_REPORT_TO_STDERR");
      if (report && strcmp(report, "0"))
        fprintf(stderr, "Invalid device store at offset 4000, executing kernel function: \"%s\"\nbuffer: , length:%lu, resident:Read Write\n", kernel, d->buffer[0].length);
      continue;
    }
    if (d->fault[0]) {
      [self fail:"PageFault" with:[NSString stringWithFormat:@" [%s]", d->fault]];
      return;
    }
  }
  status = MTLCommandBufferStatusCompleted;
  start = 100;
  end = start + seconds;
  if (plan_has("zerotimes", NULL)) start = end = 0;
  if (plan_has("reversedtimes", NULL)) { double t = start; start = end; end = t; }
}
- (void)waitUntilCompleted {
  REQUIRE(status >= MTLCommandBufferStatusCommitted, "-[IOGPUMetalCommandBuffer waitUntilCompleted]", "command buffer has not been committed");
  if (status == MTLCommandBufferStatusCommitted) [self execute];
}
- (NSUInteger)status { return status; }
- (NSError *)error { return error; }
- (double)GPUStartTime { return status == MTLCommandBufferStatusCompleted ? start : 0; }
- (double)GPUEndTime { return status == MTLCommandBufferStatusCompleted ? end : 0; }
@end

@implementation FakeQueue
- (id)commandBufferWithDescriptor:(MTLCommandBufferDescriptor *)descriptor {
  REQUIRE([descriptor isKindOfClass:[MTLCommandBufferDescriptor class]], "-[MTLDebugCommandQueue commandBufferWithDescriptor:]", "descriptor is a %s", descriptor ? class_getName([descriptor class]) : "nil");
  if (plan_refuses("commandBufferWithDescriptor:")) return nil;
  FakeCommands *c = [[FakeCommands new] autorelease];
  __sync_lock_test_and_set(&fake_last_options[3], descriptor->errorOptions);
  return c;
}
@end
