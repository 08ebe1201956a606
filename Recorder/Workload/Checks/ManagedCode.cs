using System.Reflection;
#if NET
using System.Reflection.PortableExecutable;
#endif

namespace EtwSerializerProfiler.Workload.Checks;

/// <summary>Tells how the code of an assembly reaches the CPU.</summary>
public static class ManagedCode
{
    /// <summary>Whether <paramref name="assembly"/> carries precompiled (ReadyToRun) code; null when it has no file to look into, and on .NET Framework and Mono, which keep native images elsewhere.</summary>
    public static bool? IsReadyToRun(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
#if NET
        if (assembly.Location.Length == 0)
            return null;
        using var file = File.OpenRead(assembly.Location);
        using var reader = new PEReader(file);
        return reader.PEHeaders.CorHeader is { ManagedNativeHeaderDirectory.Size: > 0 };
#else
        return null;
#endif
    }
}
