using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Functions of libcoreclr that take much time, found by their instructions. Microsoft ships the library without symbols, so that all of
/// its code would be one unnamed cost, "Runtime": the preparation of methods, which is JIT by its name, and allocation, which is GC.
/// </summary>
/// <remarks>
/// <para>Three kinds of functions have code that no other function has. Their names are those of dotnet/runtime.</para>
/// <para><b>ThePreStub</b>: every method's first call goes through it. It saves the argument registers, passes the method's description
/// (r10 on x64, x12 on arm64) as second argument, and calls the function that compiles the method or finds its precompiled code
/// (prestubhelpers of vm/amd64, vm/arm64). One place in .NET 8 and 10.</para>
/// <para><b>RhpNewObject, RhpNewVariableSizeObject</b>: allocations for which the thread's piece of the heap is too small. They store a
/// frame for the GC, keep the type in a register, set the number of elements, call <b>RhpGcAlloc</b> and test its answer for null
/// (AllocFast of runtime/). One place each in .NET 10, and both must call the same function; .NET 8 has C++ helpers instead, which are not
/// found.</para>
/// <para><b>JIT_CountProfile</b> and others: counters in code that is instrumented before it is optimized. They draw random numbers by
/// Marsaglia's xorshift with 13, 17 and 5. Ten functions in .NET 10 and six of eight in .NET 8 are found, in a row. Which one it is, the
/// code does not say.</para>
/// <para>A range is that of the function in the library's call frame information. Seen in 10.0.12 (x64, arm64) and 8.0.31 (x64). If a
/// later version has other code, nothing is found, and the time is "Runtime" as before.</para>
/// </remarks>
internal static class RuntimeFunctions
{
    /// <summary>Name of the functions that count in instrumented code.</summary>
    public const string Profile = "JIT_CountProfile and similar";

    private const int X64 = 62;
    private const int Arm64 = 183;

    /// <summary>Fewer places of the counters' code mean that something else has it, too.</summary>
    private const int MinProfiles = 6;

    /// <summary>Bits of an instruction of arm64 that do not name registers: bl, cbz of 64 bits, eor with a shift.</summary>
    private const uint Call = 0xFC000000;
    private const uint Branch = 0xFF00001F;
    private const uint Shifted = 0xFFE0FC00;

    private static readonly Patterns s_x64 = new(
        // lea rdi, [rsp + n]; mov rsi, r10; call
        Prestub: BytePattern.OfBytes("48 8D BC 24 ?? ?? ?? ?? 4C 89 D6 E8 ?? ?? ?? ??"),
        // lea rcx, [rsp + 8]; mov rbx, rdi; xor edx, edx; call; test rax, rax
        NewObject: BytePattern.OfBytes("48 8D 4C 24 08 48 89 FB 31 D2 E8 ?? ?? ?? ?? 48 85 C0"),
        // lea rcx, [rsp + 8]; mov rbx, rdi; mov rdx, rsi; xor rsi, rsi; call; test rax, rax
        NewArray: BytePattern.OfBytes("48 8D 4C 24 08 48 89 FB 48 89 F2 48 31 F6 E8 ?? ?? ?? ?? 48 85 C0"),
        // shl n, 13; xor; mov; shr n, 17; xor; mov; shl n, 5
        Profile: BytePattern.OfBytes("C1 ?? 0D ?? ?? ?? ?? C1 ?? 11 ?? ?? ?? ?? C1 ?? 05")
    );

    private static readonly Patterns s_arm64 = new(
        // add x0, sp, n; mov x1, x12; bl
        Prestub: BytePattern.OfWords((0x910003E0u, 0xFFC003FF), (0xAA0C03E1u, uint.MaxValue), (0x94000000u, Call)),
        // mov x3, sp; mov x19, x0; mov w2, 0; bl; cbz x0
        NewObject: BytePattern.OfWords(
            (0x910003E3u, uint.MaxValue),
            (0xAA0003F3u, uint.MaxValue),
            (0x52800002u, uint.MaxValue),
            (0x94000000u, Call),
            (0xB4000000u, Branch)
        ),
        // mov x3, sp; mov x19, x0; mov x2, x1; mov x1, 0; bl; cbz x0
        NewArray: BytePattern.OfWords(
            (0x910003E3u, uint.MaxValue),
            (0xAA0003F3u, uint.MaxValue),
            (0xAA0103E2u, uint.MaxValue),
            (0xD2800001u, uint.MaxValue),
            (0x94000000u, Call),
            (0xB4000000u, Branch)
        ),
        // eor n, n, n, lsl 13; eor n, n, n, lsr 17; eor n, n, n, lsl 5
        Profile: BytePattern.OfWords((0x4A003400u, Shifted), (0x4A404400u, Shifted), (0x4A001400u, Shifted))
    );

    /// <summary>Whether a file is the runtime's library.</summary>
    public static bool AreIn(string path) => Path.GetFileName(path) == "libcoreclr.so";

    /// <summary>Finds them.</summary>
    /// <param name="file">The library.</param>
    /// <param name="function">Returns start and end of the function that holds an address; null when unknown.</param>
    /// <returns>Address ranges with names.</returns>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static List<(ulong Start, ulong End, string Name)> Find(ElfFile file, Func<ulong, (ulong Start, ulong End)?> function)
    {
        var found = new List<(ulong Start, ulong End, string Name)>();
        var patterns =
            file.Machine == X64 ? s_x64
            : file.Machine == Arm64 ? s_arm64
            : null;
        if (patterns is null || file.Section(".text"u8) is not { } text)
            return found;
        var code = file.ImageFile.Peek((long)text.Offset, (long)text.Size);
        if (Places(patterns.Prestub) is [var prestub])
            Add(prestub, patterns.Prestub, "ThePreStub");
        if (
            Places(patterns.NewObject) is [var newObject]
            && Places(patterns.NewArray) is [var newArray]
            && Target(newObject) is var allocate
            && allocate == Target(newArray)
        )
        {
            Add(newObject, patterns.NewObject, "RhpNewObject");
            Add(newArray, patterns.NewArray, "RhpNewVariableSizeObject");
            AddFunction(allocate, "RhpGcAlloc");
        }

        if (Places(patterns.Profile) is { Count: >= MinProfiles } profiles)
        {
            foreach (var place in profiles)
                Add(place, patterns.Profile, Profile);
        }

        return found;

        List<(long Offset, ReadOnlyMemory<byte> Code)> Places(BytePattern pattern) =>
            [
                .. code.SelectMany(part =>
                    pattern.FindIn(part.Bytes.Span).Select(at => (part.Offset + at, part.Bytes.Slice(at, pattern.Length)))
                ),
            ];

        ulong Address(long offset) => text.Address + ((ulong)offset - text.Offset);

        ulong Target((long Offset, ReadOnlyMemory<byte> Code) place) =>
            Address(place.Offset) + (ulong)CallIn(place.Code.Span, file.Machine == X64);

        void Add((long Offset, ReadOnlyMemory<byte> Code) place, BytePattern pattern, string name)
        {
            // A recording keeps what was read, so that it has these functions elsewhere, too.
            _ = file.Take((ulong)place.Offset, (ulong)pattern.Length);
            AddFunction(Address(place.Offset), name);
        }

        void AddFunction(ulong address, string name)
        {
            if (function(address) is var (start, end) && !found.Exists(item => item.Start == start))
                found.Add((start, end, name));
        }
    }

    /// <summary>Where the call in a piece of code leads, from its first byte.</summary>
    private static long CallIn(ReadOnlySpan<byte> code, bool isX64)
    {
        if (isX64)
        {
            var call = code.IndexOf((byte)0xE8);
            return call + 5 + BinaryPrimitives.ReadInt32LittleEndian(code[(call + 1)..]);
        }

        for (var at = 0; ; at += 4)
        {
            var word = BinaryPrimitives.ReadUInt32LittleEndian(code[at..]);
            if ((word & Call) == 0x94000000)
                return at + (((int)(word << 6)) >> 4); // 26 bits, signed, in words
        }
    }

    private sealed record Patterns(BytePattern Prestub, BytePattern NewObject, BytePattern NewArray, BytePattern Profile);
}
