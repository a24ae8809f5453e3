//go:build linux && metaldouble

package metalrun_test

import _ "metalconform/metalrun/metal/fake" // Metal's runner runs on the double
