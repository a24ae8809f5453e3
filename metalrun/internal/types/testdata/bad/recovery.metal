#include <metal_stdlib>
using namespace metal;

// The parameters before the fault are known in the body, the others are not.
kernel void broken(device float *restrict x [[buffer(0)]], // ERROR 43 expected-token "expected '\)'"
                   constant float &a [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
    restrict[0] = 1;
    x[i] = a; // ERROR 5 undeclared "'x'" ERROR 7 undeclared "'i'" ERROR 12 undeclared "'a'"
}
kernel void next(device float *x [[buffer(0)]]) { x[0] = y; } // ERROR 58 undeclared "'y'"

// A type where a name is wanted is no name, and the rest goes on.
float named(float v, uint half, uint n) { return v + n; } // ERROR 27 bad-specifier "cannot combine with previous 'type-name' declaration specifier"
void locals(uint n) {
    uint float = n; // ERROR 10 bad-specifier "cannot combine" ERROR 16 expected-name "expected unqualified-id"
    uint m = n +; // ERROR 17 expected-expression "expression"
    uint k = missing; // ERROR 14 undeclared "'missing'"
}
float also(float v, , uint n) { return v + n; } // ERROR 21 expected-type "type" ERROR 44 undeclared "'n'"
float calls() { return also(1.0f, 2); }

// An attribute that Metal does not know is ignored.
kernel void ignored(device float *x [[bufer(0)]], uint i [[thread_position_in_grid]], uint s [[threads_in_threadgroup]]) {} // ERROR 87 kernel-argument "invalid type .uint. .aka .unsigned int.. for input declaration in a kernel function"
kernel void taken(device float *x [[bufer(0)]]) { x[0] = z; } // ERROR 58 undeclared "'z'"

// What a member or an operator in error would have done is no error of those that use it.
struct Faulty {
    bogus x; // ERROR 5 unknown-type "unknown type name 'bogus'"
    float y;
    Faulty& operator+=(Faulty o) { y += o.y; return *this; } // ERROR 11 missing-address-space "a reference needs an address space"
};
float faulty(Faulty a, Faulty b) {
    a.x = 1;
    a += b;
    return a.z; // ERROR 14 no-member "no member named 'z' in 'Faulty'"
}
