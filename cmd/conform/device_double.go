//go:build linux && metaldouble

package main

import _ "metalconform/metalrun/metal/fake" // -backend metal means its double
