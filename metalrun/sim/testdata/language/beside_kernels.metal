// What stands beside kernels in files that render too, or that name what they do not use.
// Whoever has no kernel to launch in them has nothing to check there.
#include <metal_stdlib>
#include <metal_mesh>
#include <metal_raytracing>
using namespace metal;
using namespace metal::raytracing;
namespace lib = metal;
namespace quick = metal::fast;

struct VertexIn { float3 at [[attribute(0)]]; };
struct VertexOut { float4 at [[position]]; float2 uv; uint layer [[render_target_array_index]]; };
vertex VertexOut transform(VertexIn in [[stage_in]], uint id [[vertex_id]])
{
    VertexOut out;
    out.at = float4(in.at, no_such_name);
    return out;
}
fragment half4 shade(VertexOut in [[stage_in]], float4 before [[color(0)]]) { return half4(dfdx(before)); }

struct Block { rgba8unorm<half4> colour; half depth; };
[[kernel]] void on_tiles(imageblock<Block, imageblock_layout_explicit> block, ushort2 at [[thread_position_in_threadgroup]])
{
    threadgroup_imageblock Block* p = block.data(at);
    p->depth = 1;
}
void in_block(threadgroup_imageblock Block* p) { p->depth = 2; }

struct Payload { uint n; };
[[object]] void objects(object_data Payload& p [[payload]], mesh_grid_properties grid) { grid.set_threadgroups_per_grid(uint3(1)); }
using Mesh = mesh<VertexOut, void, 3, 1, topology::triangle>;
[[mesh]] void meshes(Mesh m, object_data const Payload& p [[payload]]) { m.set_primitive_count(p.n); }
[[intersection(triangle, triangle_data)]] bool hit(ray_data float& far [[payload]]) { return far > 1; }
struct Scene { acceleration_structure<instancing> world; int n; };
struct Spaces
{
    int v;
    int get() thread { return v; }
    int get() object_data { return no_such_name; }
};

// want int 7
kernel void among_stages(device int *out [[buffer(0)]])
{
    Spaces s = { 7 };
    out[0] = s.get();
}

// want int 3 9 8
kernel void aliases_of_metal(device int *out [[buffer(0)]])
{
    out[0] = lib::max(2, 3);
    lib::array<int, 2> a = { 1, 9 };
    lib::threadgroup_barrier(lib::mem_flags::mem_threadgroup);
    out[1] = a[1];
    out[2] = int(quick::exp2(3.0f));
}

template <typename T> struct Wide { static_assert(sizeof(T) >= 4, "too narrow"); T value; int twice() const { return int(value) * 2; } };
template <typename T> struct Around { Wide<T> inner; };
template <int N> struct Link { device Link<N + 1>* next; int value; };
template <typename T> struct Plain { T value; int twice() const { return int(value) * 3; } };

// want int 1 1
kernel void named_and_never_made(device int *out [[buffer(0)]])
{
    thread Wide<char>* p = nullptr;
    device Around<short>* q = nullptr;
    typedef Wide<half> Narrow;
    out[0] = p == nullptr;
    out[1] = q == nullptr;
}

// want int 12 8
kernel void chosen_between_instances(device int *out [[buffer(0)]])
{
    conditional_t<(sizeof(short) >= 4), Wide<short>, Plain<short>> a = { 4 };
    conditional_t<(sizeof(int) >= 4), Wide<int>, Plain<int>> b = { 4 };
    out[0] = a.twice();
    out[1] = b.twice();
}

// want int 5
kernel void a_list_of_ever_longer_types(device int *out [[buffer(0)]])
{
    device Link<0>* first = (device Link<0>*)out;
    out[0] = sizeof(Link<0>) == 16 ? 5 : first->value;
}

// want int 4 6
kernel void pointers_to_pointers(device int *out [[buffer(0)]])
{
    int a = 4, b = 5;
    thread int* list[2] = { &a, &b };
    thread int** p = list;
    out[0] = **p;
    *p[1] = 6;
    out[1] = b;
}
