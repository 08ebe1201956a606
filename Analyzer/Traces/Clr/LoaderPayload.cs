using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Payloads of events about loading assemblies, types and precompiled methods (ClrEtwAll.man of dotnet/runtime).</summary>
/// <remarks>
/// AssemblyLoad: u64 assembly, u64 domain, u64 binding, u32 flags, full name. ModuleLoad: u64 module, u64 assembly, u32 flags.
/// AssemblyLoadStop: u16 runtime instance, name, path, name of the requesting assembly, two load contexts, u32 success, resulting name,
/// resulting path, u32 cached. TypeLoadStart: u32 number of the load. TypeLoadStop:
/// u32 number, u16 runtime instance, u16 level, u64 type, name. R2RGetEntryPoint: u64 method, namespace, name, signature, u64 entry point
/// (0: there is no precompiled code). Texts are UTF-16 with a terminating zero.
/// </remarks>
internal static class LoaderPayload
{
    /// <summary>Bytes of TypeLoadStop before the name.</summary>
    public const int MinTypeStopBytes = 16;

    /// <summary>AssemblyFlags: created in memory.</summary>
    private const int DynamicAssembly = 0x2;

    /// <summary>ModuleFlags: created in memory; with precompiled code.</summary>
    private const int DynamicModule = 0x4;
    private const int ReadyToRunModule = 0x20;

    /// <summary>Reads AssemblyLoad.</summary>
    public static bool TryReadAssembly(in EventAt at, ReadOnlySpan<byte> payload, out AssemblyLoaded assembly)
    {
        var reader = new PayloadReader(payload);
        var id = reader.Int64();
        reader.Bytes(16);
        var flags = reader.Int32();
        assembly = new AssemblyLoaded(at, id, (flags & DynamicAssembly) != 0, reader.Text());
        return reader.Fits;
    }

    /// <summary>Reads ModuleLoad.</summary>
    public static bool TryReadModule(in EventAt at, ReadOnlySpan<byte> payload, out AssemblyModuleLoaded module)
    {
        var reader = new PayloadReader(payload);
        var (id, assembly, flags) = (reader.Int64(), reader.Int64(), reader.Int32());
        module = new AssemblyModuleLoaded(at, id, assembly, IsDynamicModule(flags), (flags & ReadyToRunModule) != 0);
        return reader.Fits;
    }

    /// <summary>Whether ModuleFlags mark a module that the program created in memory.</summary>
    public static bool IsDynamicModule(int flags) => (flags & DynamicModule) != 0;

    /// <summary>Reads AssemblyLoadStop.</summary>
    public static bool TryReadSearch(in EventAt at, ReadOnlySpan<byte> payload, out AssemblyBind search)
    {
        var reader = new PayloadReader(payload);
        reader.Bytes(2);
        var (name, path) = (reader.Text(), reader.Text());
        reader.SkipText();
        reader.SkipText();
        reader.SkipText();
        var found = reader.Int32() != 0;
        reader.SkipText();
        search = new AssemblyBind(at, name, path, found, reader.Text());
        return reader.Fits;
    }

    /// <summary>Reads R2RGetEntryPoint.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="found">Whether precompiled code was found.</param>
    public static bool TryReadEntryPoint(ReadOnlySpan<byte> payload, out bool found)
    {
        var reader = new PayloadReader(payload);
        reader.Int64();
        reader.SkipText();
        reader.SkipText();
        reader.SkipText();
        found = reader.Int64() != 0;
        return reader.Fits;
    }
}
