// What a program may say about its memory: a launch that binds a buffer in this range is not to leave the range.
#pragma once
#ifdef __cplusplus
extern "C"
#endif
void conform_region(const void *buffer, unsigned long offset, unsigned long length, const char *name);
