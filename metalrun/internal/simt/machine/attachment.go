package machine

// Attachment is what an extension adds to the launches of a program.
type Attachment interface {
	// Bind readies the buffers of a launch, and Attach a machine for one: it gets its state and its observers.
	Bind(p *Program, l *Dispatch, table []Memory)
	Attach(m *Machine)
	// Runner is another way to run the threadgroups of a launch; ok is false where there is none.
	Runner(p *Program, l *Dispatch, buffers []Memory) (run GroupRunner, machines func() []*Machine, ok bool)
}
