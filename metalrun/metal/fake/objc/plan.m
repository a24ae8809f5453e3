// What happens on demand.
#include "fake.h"
#include <stdlib.h>
#include <string.h>

static char *plan;

void fake_restart(void);
void fake_forget(void);

BOOL shader_validation(void) {
  const char *validation = getenv("MTL_SHADER_VALIDATION");
  return validation && *validation && strcmp(validation, "0");
}

// fake_plan replaces the plan that the environment has, on a device that has just been
// switched on.
void fake_plan(const char *entries) {
  char *old = plan;
  fake_restart();
  fake_forget();
  plan = strdup(entries);
  free(old);
}

// next copies the entry at *rest into name, value and kernel, which may be empty.
static BOOL next(const char **rest, char *name, char *value, char *kernel) {
  if (!plan) fake_plan(getenv("METAL_DOUBLE") ? getenv("METAL_DOUBLE") : "");
  const char *p = *rest ? *rest : plan;
  while (*p == ' ') p++;
  if (!*p) return NO;
  char entry[512] = "";
  size_t n = strcspn(p, " ");
  memcpy(entry, p, n < sizeof entry - 1 ? n : sizeof entry - 1);
  *rest = p + n;
  char *at = strchr(entry, '@'), *is = strchr(entry, '=');
  strcpy(kernel, at ? at + 1 : "");
  if (at) *at = 0;
  strcpy(value, is ? is + 1 : "");
  if (is) *is = 0;
  strcpy(name, entry);
  return YES;
}

// plan_for is the value of the first entry of this name for this kernel or for all.
const char *plan_for(const char *name, const char *kernel) {
  static __thread char value[512];
  char entry[512], of[512];
  for (const char *rest = NULL; next(&rest, entry, value, of);)
    if (!strcmp(entry, name) && (!*of || (kernel && !strcmp(of, kernel)))) return value;
  return NULL;
}
const char *plan_value(const char *name) { return plan_for(name, NULL); }
BOOL plan_has(const char *name, const char *kernel) { return plan_for(name, kernel) != NULL; }

// plan_refuses reports whether refuse=SELECTOR is planned.
BOOL plan_refuses(const char *selector) {
  char name[512], value[512], kernel[512];
  for (const char *rest = NULL; next(&rest, name, value, kernel);)
    if (!strcmp(name, "refuse") && !strcmp(value, selector)) return YES;
  return NO;
}
