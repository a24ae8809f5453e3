package main

import (
	"cmp"

	"metalconform/reports"

	"github.com/spf13/pflag"
)

// resultsMemory is a flag that bounds what results may take of this machine.
type resultsMemory struct{ mib int }

func (m *resultsMemory) add(flags *pflag.FlagSet) {
	flags.IntVar(&m.mib, "results-memory", reports.DefaultRoom, "refuse results that take more than about `MIB` mebibytes of memory")
}

// room is for results that are read together.
func (m resultsMemory) room() *reports.Room {
	return reports.NewRoom(cmp.Or(m.mib, reports.DefaultRoom))
}
