package metalrun

import "io"

func Inspect(src Source, opts CompileOptions) ([]KernelInfo, error) {
	p, err := Analyse(src, opts)
	if err != nil {
		return nil, err
	}
	return p.Kernels()
}

func Constants(src Source, opts CompileOptions) ([]Constant, error) {
	p, err := Analyse(src, opts)
	if err != nil {
		return nil, err
	}
	return p.Constants(), nil
}

func FunctionConstants(src Source, opts CompileOptions) ([]FunctionConstant, error) {
	p, err := Analyse(src, opts)
	if err != nil {
		return nil, err
	}
	return p.FunctionConstants(), nil
}

func Dump(w io.Writer, src Source, opts CompileOptions, pass string) error {
	p, err := Analyse(src, opts)
	if err != nil {
		return err
	}
	return p.Dump(w, pass)
}
