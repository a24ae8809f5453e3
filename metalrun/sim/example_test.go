package sim_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// A kernel is compiled from its source, gets its buffers bound, and runs.
func Example() {
	program, err := metalrun.Analyse(metalrun.SourceText("axpy.metal", `
#include <metal_stdlib>
using namespace metal;

kernel void axpy(device float*       y [[buffer(0)]],
                 device const float* x [[buffer(1)]],
                 constant float&     a [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
	y[i] = fma(a, x[i], y[i]);
}`), metalrun.CompileOptions{})
	if err != nil {
		log.Fatal(err) // axpy.metal:LINE:COL: what is wrong
	}
	runner := sim.New(sim.Semantics{})
	defer runner.Close()
	library, err := runner.Compile(program)
	if err != nil {
		log.Fatal(err)
	}
	defer library.Release()
	kernel, err := library.Kernel("axpy")
	if err != nil {
		log.Fatal(err)
	}

	y, x, a := floats(1, 2, 3, 4), floats(10, 20, 30, 40), floats(0.5)
	_, err = kernel.Run(metalrun.Dispatch{
		Bindings: []metalrun.Binding{
			{Index: 0, Data: y, Length: len(y)},
			{Index: 1, Data: x, Length: len(x)},
			{Index: 2, Data: a, Length: len(a), Inline: true}, // as by setBytes
		},
		Threads:               metalrun.Size{X: 4, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < len(y); i += 4 {
		fmt.Println(math.Float32frombits(binary.LittleEndian.Uint32(y[i:])))
	}
	// Output:
	// 6
	// 12
	// 18
	// 24
}

// A simulator that checks reports what Metal leaves undefined, even where the
// results are right: here a barrier is missing.
func Example_race() {
	program, err := metalrun.Analyse(metalrun.SourceText("reverse.metal", `#include <metal_stdlib>
using namespace metal;

kernel void reverse(device float* x [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
	threadgroup float shared[64];
	shared[i] = x[i];
	x[i] = shared[63 - i];
}`), metalrun.CompileOptions{})
	if err != nil {
		log.Fatal(err)
	}
	runner := sim.New(sim.Semantics{Check: true})
	defer runner.Close()
	library, err := runner.Compile(program)
	if err != nil {
		log.Fatal(err)
	}
	kernel, err := library.Kernel("reverse")
	if err != nil {
		log.Fatal(err)
	}
	x := make([]byte, 64*4)
	outcome, err := kernel.Run(metalrun.Dispatch{
		Bindings:              []metalrun.Binding{{Index: 0, Data: x, Length: len(x)}},
		Threadgroups:          metalrun.Size{X: 1, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 64, Y: 1, Z: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range outcome.Findings {
		fmt.Println(f)
	}
	// Output:
	// reverse.metal:7:15: race: read and write of bytes 252 to 255 of threadgroup "shared" (reverse.metal:5:2) by two simdgroups are not ordered; a threadgroup_barrier with mem_flags::mem_threadgroup between them would order them
	//	in reverse, read at reverse.metal:7:15 by thread (0,0,0) of threadgroup (0,0,0)
	//	write at reverse.metal:6:12 by thread (63,0,0) of threadgroup (0,0,0)
	//	wrong: with simdgroups one by one in a drawn order, x[0] becomes NaN, and was 0
	//	wrong: with simdgroups one by one in the opposite order, x[32] becomes NaN, and was 0
	//	wrong: with stores that other simdgroups see only after a barrier that orders them, x[32] becomes NaN, and was 0
}

func floats(values ...float32) []byte {
	var b []byte
	for _, x := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
