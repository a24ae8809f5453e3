// The parts of libdispatch that programs with compute kernels use.
#pragma once
#include <Block.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct conform_queue *dispatch_queue_t;
typedef struct conform_group *dispatch_group_t;
typedef struct conform_semaphore *dispatch_semaphore_t;
typedef struct conform_data *dispatch_data_t;
typedef void *dispatch_queue_attr_t;
typedef void *dispatch_object_t;
typedef uint64_t dispatch_time_t;
typedef intptr_t dispatch_once_t;
typedef void (^dispatch_block_t)(void);
typedef void (*dispatch_function_t)(void *);

#define DISPATCH_QUEUE_SERIAL ((dispatch_queue_attr_t)0)
#define DISPATCH_QUEUE_CONCURRENT ((dispatch_queue_attr_t)1)
#define DISPATCH_QUEUE_PRIORITY_HIGH 2
#define DISPATCH_QUEUE_PRIORITY_DEFAULT 0
#define DISPATCH_QUEUE_PRIORITY_LOW (-2)
#define DISPATCH_TIME_NOW 0ull
#define DISPATCH_TIME_FOREVER (~0ull)
#define DISPATCH_DATA_DESTRUCTOR_DEFAULT ((dispatch_block_t)0)
#define QOS_CLASS_USER_INTERACTIVE 0x21
#define QOS_CLASS_USER_INITIATED 0x19
#define QOS_CLASS_DEFAULT 0x15
#define QOS_CLASS_UTILITY 0x11
#define QOS_CLASS_BACKGROUND 0x09
#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull

dispatch_queue_t dispatch_queue_create(const char *label, dispatch_queue_attr_t attributes);
dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
dispatch_queue_t dispatch_get_main_queue(void);
void dispatch_async(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_sync(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_async_f(dispatch_queue_t queue, void *context, dispatch_function_t work);
void dispatch_sync_f(dispatch_queue_t queue, void *context, dispatch_function_t work);
void dispatch_apply(size_t count, dispatch_queue_t queue, void (^block)(size_t));
void dispatch_once(dispatch_once_t *once, dispatch_block_t block);
dispatch_group_t dispatch_group_create(void);
void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block);
void dispatch_group_enter(dispatch_group_t group);
void dispatch_group_leave(dispatch_group_t group);
intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout);
dispatch_semaphore_t dispatch_semaphore_create(intptr_t value);
intptr_t dispatch_semaphore_signal(dispatch_semaphore_t semaphore);
intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore, dispatch_time_t timeout);
dispatch_time_t dispatch_time(dispatch_time_t when, int64_t delta);
dispatch_data_t dispatch_data_create(const void *bytes, size_t size, dispatch_queue_t queue, dispatch_block_t destructor);
size_t dispatch_data_get_size(dispatch_data_t data);
void conform_dispatch_retain(void *object);
void conform_dispatch_release(void *object);
#define dispatch_retain(object) conform_dispatch_retain((void *)(object))
#define dispatch_release(object) conform_dispatch_release((void *)(object))
#ifdef __cplusplus
}
#endif
