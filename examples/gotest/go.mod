module example.com/kernels

go 1.26.0

require metalconform v0.0.0

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace metalconform => ../..
