package metalrun_test

import (
	"fmt"
	"log"

	"metalconform/metalrun"
)

// A program says what there is to run, before anything runs it.
func ExampleAnalyse() {
	program, err := metalrun.Analyse(metalrun.SourceText("scale.metal", `
kernel void scale(device float*   x [[buffer(0)]],
                  constant float& by [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
	x[i] *= by;
}`), metalrun.CompileOptions{})
	if err != nil {
		log.Fatal(err)
	}
	kernels, err := program.Kernels()
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range kernels {
		fmt.Printf("%s: %s\n", k.Position, k.Name)
		for _, a := range k.Args {
			fmt.Printf("\tbuffer %d: %s %s, writable: %v\n", a.Index, a.Type, a.Name, a.Writable)
		}
	}

	_, err = metalrun.Analyse(metalrun.SourceText("wrong.metal", "kernel void wrong(float* x) {}"),
		metalrun.CompileOptions{})
	fmt.Println(err)
	// Output:
	// scale.metal:2:1: scale
	//	buffer 0: float x, writable: true
	//	buffer 1: float by, writable: false
	// wrong.metal:1:24: a pointer needs an address space: device, constant, threadgroup or thread
}
