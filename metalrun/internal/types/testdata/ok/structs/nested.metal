#include <metal_stdlib>
using namespace metal;

struct Grid {
    enum Kind { Small, Large = 5 };
    struct Cell { int v; };
    typedef int index_t;
    using value_t = float;
    Cell cells[4];
    Kind kind;
    static constexpr constant int count = 4;
    index_t find(int v) const {
        for (index_t i = 0; i < count; i++) if (cells[i].v == v) return i;
        return -1;
    }
};
kernel void nested(device int* out [[buffer(0)]])
{
    Grid g = {};
    g.cells[2].v = 9;
    g.kind = Grid::Large;
    Grid::Cell c = g.cells[2];
    Grid::index_t at = g.find(c.v);
    out[0] = at;
    out[1] = Grid::count;
    out[2] = g.kind;
    out[3] = g.kind == Grid::Small;
    int room[Grid::count];
    room[0] = 1;
    out[4] = room[0];
}
