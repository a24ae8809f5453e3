// Memory as Mach gives it: whole pages of zeros.
#include <mach/mach.h>
#include <sys/mman.h>

mach_port_t mach_task_self(void) { return 0; }
kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags) {
  void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return KERN_NO_SPACE;
  *address = (vm_address_t)p;
  return KERN_SUCCESS;
}
kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size) {
  munmap((void *)address, size);
  return KERN_SUCCESS;
}
