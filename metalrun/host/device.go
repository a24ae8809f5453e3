package host

import (
	"fmt"
	"slices"
	"strings"
)

// Device is an Apple GPU as programs see it.
type Device struct {
	Name         string
	Architecture string
	Family       int    // the last of Apple's families that it belongs to
	Metal4       bool   // it supports the family Metal 4
	WorkingSet   uint64 // recommended, in bytes
	Buffer       uint64 // of the longest one, in bytes
	Threads      int    // of a threadgroup
	Threadgroup  int    // bytes of threadgroup memory
}

const gib = 1 << 30

// devices are the first of each generation. Families and limits are those of Apple's table of feature sets; working
// sets are those of machines with the least memory that is sold.
var devices = []Device{
	{Name: "Apple M1", Architecture: "applegpu_g13g", Family: 7, WorkingSet: 5 * gib, Buffer: 4 * gib},
	{Name: "Apple M2", Architecture: "applegpu_g14g", Family: 8, WorkingSet: 5 * gib, Buffer: 4 * gib},
	{Name: "Apple M3", Architecture: "applegpu_g15g", Family: 9, WorkingSet: 5 * gib, Buffer: 4 * gib},
	{Name: "Apple M4", Architecture: "applegpu_g16g", Family: 9, Metal4: true, WorkingSet: 11 * gib, Buffer: 8 * gib},
	{Name: "Apple M5", Architecture: "applegpu_g17g", Family: 10, Metal4: true, WorkingSet: 11 * gib, Buffer: 8 * gib},
}

// Devices lists the names that [FindDevice] takes.
func Devices() []string {
	var names []string
	for _, d := range devices {
		names = append(names, strings.TrimPrefix(d.Name, "Apple "))
	}
	return names
}

// FindDevice gives the device of a name such as M1.
func FindDevice(name string) (Device, error) {
	i := slices.IndexFunc(devices, func(d Device) bool { return strings.EqualFold(d.Name, "Apple "+name) })
	if i < 0 {
		return Device{}, fmt.Errorf("device %q: want one of %s", name, strings.Join(Devices(), ", "))
	}
	d := devices[i]
	d.Threads, d.Threadgroup = 1024, 32<<10
	return d, nil
}

// First members of the enumeration MTLGPUFamily.
const (
	familyApple  = 1000
	familyMac2   = 2002
	familyCommon = 3000
	familyMetal3 = 5001
	familyMetal4 = 5002
)

// Supports reports whether the device belongs to a family, as MTLGPUFamily numbers it.
func (d Device) Supports(family int) bool {
	switch {
	case family > familyApple && family < familyApple+100:
		return family-familyApple <= d.Family
	case family > familyCommon && family < familyCommon+100:
		return family-familyCommon <= 3
	case family == familyMetal4:
		return d.Metal4
	}
	return family == familyMac2 || family == familyMetal3
}
