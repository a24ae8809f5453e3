//go:build linux && metaldouble

package kernels

import _ "metalconform/metalrun/metal/fake" // Metal's runner runs on the double
