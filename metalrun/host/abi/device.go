package abi

var deviceFunctions = []Function{
	{"device_name(char *out, uint64_t room)", func(a arguments) uint64 { return a.put(0, process().Device().Name) }},
	{"device_architecture(char *out, uint64_t room)", func(a arguments) uint64 {
		return a.put(0, process().Device().Architecture)
	}},
	{"device_supports(uint64_t family)", func(a arguments) uint64 {
		return flag(process().Device().Supports(a.int(
			0)))
	}},
	{"device_working_set()", func(arguments) uint64 { return process().Device().WorkingSet }},
	{"device_longest_buffer()", func(arguments) uint64 { return process().Device().Buffer }},
	{"device_threads()", func(arguments) uint64 { return uint64(process().Device().Threads) }},
	{"device_threadgroup_memory()", func(arguments) uint64 { return uint64(process().Device().Threadgroup) }},
	{"refuse(const char *what)", func(a arguments) uint64 { return none(process().Refuse, a.text(0)) }},
	{"assert(const char *text)", func(a arguments) uint64 { return none(process().Assert, a.text(0)) }},
	{"close()", func(arguments) uint64 {
		process().Close()
		return 0
	}},
	{"drop(uint64_t handle)", func(a arguments) uint64 {
		handles.Lock()
		delete(handles.objects, a.word(0))
		handles.Unlock()
		return 0
	}},
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// none calls a function without a result.
func none[T any](f func(T), x T) uint64 {
	f(x)
	return 0
}

// of calls a method of the object of the first argument, if there is one.
func of[T comparable](call func(x T, a arguments)) func(a arguments) uint64 {
	return func(a arguments) uint64 {
		var zero T
		if x := object[T](a.word(0)); x != zero {
			call(x, a)
		}
		return 0
	}
}
