// Native code whose return addresses are signed (pointer authentication): a caller and its leaf. It is compiled twice, with frame pointers
// (PREFIX framed) and without (PREFIX bare).
#define JOIN(prefix, name) prefix##_##name
#define NAME(prefix, name) JOIN(prefix, name)

__attribute__((noinline)) unsigned NAME(PREFIX, leaf)(unsigned seed, unsigned links)
{
    while (links-- > 0)
        seed = seed * 1664525 + 1013904223;
    return seed;
}

__attribute__((noinline)) unsigned NAME(PREFIX, caller)(unsigned seed, unsigned times)
{
    while (times-- > 0)
        seed = NAME(PREFIX, leaf)(seed, 200) + 1; // works on what it returns: no tail call
    return seed;
}
