#include <metal_stdlib>

// Functions that may end without the result they have.

int ends_none(int x) { x++; } // ERROR 29 return-type "^non-void function does not return a value .-Wreturn-type.$"
int ends_some(int x) { if (x > 0) return 1; } // ERROR 45 return-type "^non-void function does not return a value in all control paths .-Wreturn-type.$"
int ends_loop(int x) { for (;;) { if (x++ > 3) break; if (x < 0) return 2; } } // ERROR 78 return-type "in all control paths"
int ends_case(int x) { switch (x) { case 1: return 1; default: if (x > 2) break; return 3; } } // ERROR 94 return-type "in all control paths"
int ends_never(int x) { while (true) { switch (x) { case 1: break; default: if (x > 7) continue; } if (x++ > 3) return x; } }
int ends_either(int x) { if (x > 0) { return 1; } else { do { return 2; break; } while (x); } }
enum class Way { left, right };
int ends_enum(Way w) { switch (w) { case Way::left: return 1; case Way::right: return 2; } }
int ends_else(int x) { if (x > 0) return 1; __builtin_unreachable(); }
template <int N> int ends_constant() { if constexpr (N > 0) { return 1; } else { return 2; } }
kernel void ends(device int *p) { p[0] = ends_constant<1>() + ends_constant<0>(); }
