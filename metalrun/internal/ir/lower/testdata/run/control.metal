#include <metal_stdlib>
using namespace metal;

//= 45 30 25 10 3 9
kernel void loops(device int *out) {
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += i;
    out[0] = sum;
    sum = 0;
    for (int i = 0; ; i += 2) {
        if (i > 10) break;
        sum += i;
    }
    out[1] = sum;
    sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 2 == 0) continue;
        sum += i;
    }
    out[2] = sum;
    int n = 0;
    while (n < 10) n++;
    out[3] = n;
    int d = 0;
    do {
        d++;
        if (d == 1) continue;
        if (d == 3) break;
    } while (d < 5);
    out[4] = d;
    int found = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            if (j > i) break;
            if (i * j == 6) continue;
            if (i + j == 8) { found = 9; }
        }
    }
    out[5] = found;
}

int classify(int x) {
    int r = 0;
    switch (x) {
    case 1:
        r += 1;
    case 2:
        r += 10;
        break;
    default:
        r += 1000;
    case 3:
    case 4:
        r += 100;
        if (x == 4) break;
        r += 5;
        break;
    case -7:
        return -1;
    }
    return r;
}

//= 11 10 105 100 1105 -1 1105
kernel void switches(device int *out) {
    out[0] = classify(1);
    out[1] = classify(2);
    out[2] = classify(3);
    out[3] = classify(4);
    out[4] = classify(5);
    out[5] = classify(-7);
    out[6] = classify(0);
}

//= 3 7 2 1
kernel void switch_in_loop(device int *out) {
    int evens = 0, odds = 0, zeros = 0, tail = 0;
    for (int i = 0; i < 10; i++) {
        switch (i % 4) {
        case 0:
            if (i == 0) { zeros++; continue; }
            break;
        case 1:
        case 3:
            odds += 1;
            continue;
        case 2:
            if (i == 6) { tail = 1; }
        }
        evens++;
    }
    out[0] = evens - 1;
    out[1] = odds + 2;
    out[2] = zeros + 1;
    out[3] = tail;
}

int early(int n) {
    for (int i = 0; i < 100; i++) {
        if (n >= 0 && i * i >= n) return i;
        if (n < 0) break;
    }
    if (n < -10) return -10;
    else if (n < -5) return -5;
    return -1;
}

//= 0 3 4 -10 -5 -1
kernel void returns(device int *out) {
    out[0] = early(0);
    out[1] = early(9);
    out[2] = early(10);
    out[3] = early(-11);
    out[4] = early(-6);
    out[5] = early(-1);
}

//= 0 0 1 1 2 5 6 4
kernel void short_circuit(device int *out) {
    int calls = 0;
    bool a = false && ++calls > 0;
    out[0] = a;
    out[1] = calls;
    bool b = true || ++calls > 0;
    out[2] = b;
    bool c = calls == 0 && ++calls == 1;
    out[3] = c;
    int x = calls > 0 ? (calls += 1) : (calls += 100);
    out[4] = x;
    int i = 5;
    out[5] = i > 3 ? i : -i;
    out[6] = (calls = 3, calls * 2);
    out[7] = !(calls == 3) ? 0 : 4;
}

//= 1 5 42
kernel void unreachable(device int *out) {
    out[0] = 1;
    if (true) {
        out[1] = 5;
    } else {
        out[1] = 6;
    }
    while (false) { out[1] = 7; }
    out[2] = 42;
    return;
    out[2] = 43;
}

//= 0 0 3 0
//threads 4
kernel void returning_threads(device int *out, uint i [[thread_position_in_grid]]) {
    out[i] = 0;
    if (i != 2) return;
    out[i] = i + 1;
}
