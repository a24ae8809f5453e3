// The driver of translated programs. It reads launches and writes what their buffers hold
// afterwards. Each launch runs in a process of its own, its threads as fibres of one thread.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <vector>

struct witness_slot { char bytes[64]; };
struct witness_binding { uint32_t kind, index; };

// An entry point, and what its parameters get.
struct witness_entry {
	void (*call)();
	const witness_binding *arguments;
};
extern const witness_entry witness_entries[];

namespace {
enum Kind { Buffer, Memory, InGrid, GridThreads, InGroup, GroupThreads, GroupInGrid, Groups, IndexInGroup, Lane, Simdgroup, Simdgroups, SimdWidth, FullGroup, QuadLane, Quad, Quads, FullSimdgroups, FullQuads };
enum State { Ready, AtBarrier, InSimd, Done };

const size_t stackSize = 1 << 20; // of which only what is touched takes memory

struct Fibre {
	ucontext_t context;
	State state;
	uint32_t at[3], index;
	uint32_t site; // of the simdgroup operation that it waits in
	witness_slot mine; // what it brings there
	uint32_t values[32][4]; // of arguments that are positions
};
struct Group { witness_slot slots[32]; uint32_t active; };

std::vector<char *> buffers, memory;
uint32_t groups[3], threads[3], per[3], size[3], place[3];
ucontext_t scheduler;
Fibre *fibres, *self;
std::vector<Group> simds;
const witness_entry *entry;

uint32_t value(const Fibre &f, uint32_t kind, int d) {
	switch (kind) {
	case InGrid: return place[d] * per[d] + f.at[d];
	case GridThreads: return threads[d];
	case InGroup: return f.at[d];
	case GroupThreads: return size[d];
	case FullGroup: return per[d];
	case GroupInGrid: return place[d];
	case Groups: return groups[d];
	case IndexInGroup: return f.index;
	case Lane: return f.index % 32;
	case Simdgroup: return f.index / 32;
	case Simdgroups: return (size[0] * size[1] * size[2] + 31) / 32;
	case QuadLane: return f.index % 4;
	case Quad: return f.index / 4;
	case Quads: return (size[0] * size[1] * size[2] + 3) / 4;
	case FullSimdgroups: return (per[0] * per[1] * per[2] + 31) / 32;
	case FullQuads: return (per[0] * per[1] * per[2] + 3) / 4;
	}
	return 32;
}

void start() {
	entry->call();
	self->state = Done;
	swapcontext(&self->context, &scheduler);
}

void leave(State state) {
	self->state = state;
	swapcontext(&self->context, &scheduler);
}

// meet lets the lanes of a simdgroup go on that wait in the same operation: the first one in the
// text, since those that are ahead of it have left the loop or the branch that it is in.
bool meet(Group &g, Fibre *lanes, uint32_t n) {
	uint32_t site = UINT32_MAX;
	for (uint32_t i = 0; i < n; i++)
		if (lanes[i].state == InSimd) site = std::min(site, lanes[i].site);
	g.active = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (lanes[i].state != InSimd || lanes[i].site != site) continue;
		g.active |= 1u << i;
		g.slots[i] = lanes[i].mine;
		lanes[i].state = Ready;
	}
	return g.active != 0;
}

void begin(uint32_t i, char *stack) {
	Fibre &f = fibres[i];
	f.state = Ready;
	f.index = i;
	f.at[0] = i % size[0];
	f.at[1] = i / size[0] % size[1];
	f.at[2] = i / size[0] / size[1];
	getcontext(&f.context);
	f.context.uc_stack.ss_sp = stack;
	f.context.uc_stack.ss_size = stackSize;
	f.context.uc_link = &scheduler;
	makecontext(&f.context, start, 0);
}

// turn runs every fibre that can until it waits or ends, and reports whether any moved.
bool turn(uint32_t n, bool &left, bool &waiting) {
	bool moved = false;
	left = waiting = false;
	for (uint32_t i = 0; i < n; i++) {
		self = &fibres[i];
		if (self->state == Ready) {
			swapcontext(&scheduler, &self->context);
			moved = true;
		}
		left = left || self->state != Done;
		waiting = waiting || self->state == AtBarrier;
	}
	return moved;
}

void threadgroup(char *stacks) {
	uint32_t n = size[0] * size[1] * size[2];
	simds.assign((n + 31) / 32, Group());
	for (uint32_t i = 0; i < n; i++) begin(i, stacks + i * stackSize);
	for (bool left = true; left;) {
		bool waiting, moved = turn(n, left, waiting), met = false;
		for (uint32_t s = 0; s * 32 < n; s++) met = meet(simds[s], fibres + s * 32, std::min(n - s * 32, 32u)) || met;
		if (met || !left) continue;
		if (!waiting && !moved) _exit(3);
		for (uint32_t i = 0; i < n; i++)
			if (fibres[i].state == AtBarrier) fibres[i].state = Ready;
	}
}

void launch() {
	uint32_t n = per[0] * per[1] * per[2];
	char *stacks = (char *)mmap(nullptr, n * stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	fibres = new Fibre[n];
	for (place[2] = 0; place[2] < groups[2]; place[2]++)
		for (place[1] = 0; place[1] < groups[1]; place[1]++)
			for (place[0] = 0; place[0] < groups[0]; place[0]++) {
				for (int d = 0; d < 3; d++) size[d] = std::min(per[d], threads[d] - place[d] * per[d]);
				threadgroup(stacks);
			}
}

uint32_t word() {
	uint32_t w;
	if (fread(&w, 4, 1, stdin) != 1) exit(0);
	return w;
}
}

extern "C" {
void witness_barrier() { leave(AtBarrier); }

uint32_t witness_simd(const void *mine, uint32_t bytes, witness_slot **slots, uint32_t site) {
	Group &g = simds[self->index / 32];
	memcpy(self->mine.bytes, mine, bytes);
	self->site = site;
	leave(InSimd);
	*slots = g.slots;
	return g.active;
}

uint32_t witness_lane() { return self->index % 32; }
uint32_t witness_simdgroup() { return self->index / 32; }

const void *witness_argument(uint32_t i) {
	const witness_binding &a = entry->arguments[i];
	if (a.kind == Buffer) return buffers[a.index];
	if (a.kind == Memory) return memory[a.index];
	for (int d = 0; d < 3; d++) self->values[i % 32][d] = value(*self, a.kind, d);
	return self->values[i % 32];
}
}

int main() {
	for (;;) {
		entry = &witness_entries[word()];
		for (uint32_t *v : {groups, threads, per})
			for (int d = 0; d < 3; d++) v[d] = word();
		buffers.assign(32, nullptr);
		std::vector<std::pair<char *, uint32_t>> held;
		for (uint32_t n = word(); n > 0; n--) {
			uint32_t index = word(), bytes = word();
			char *p = (char *)mmap(nullptr, bytes + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
			if (bytes && fread(p, bytes, 1, stdin) != 1) return 1;
			buffers[index] = p;
			held.push_back({p, bytes});
		}
		memory.assign(32, nullptr);
		std::vector<char *> scratch;
		for (uint32_t n = word(), i = 0; i < n; i++) memory[i] = (char *)calloc(word() + 64, 1), scratch.push_back(memory[i]);
		fflush(stdout);
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			launch();
			_exit(0);
		}
		int status = 0;
		waitpid(child, &status, 0);
		uint32_t ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
		fwrite(&ok, 4, 1, stdout);
		for (auto &b : held) {
			fwrite(b.first, 1, b.second, stdout);
			munmap(b.first, b.second + 4096);
		}
		for (char *p : scratch) free(p);
	}
}
