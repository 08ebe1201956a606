using System.Reflection;
#if NET
using System.Reflection.PortableExecutable;
#endif

namespace EtwSerializerProfiler.Workload.Checks;

/// <summary>Finds out whether an assembly is precompiled.</summary>
public static class ManagedCode
{
    /// <summary>
    /// Whether <paramref name="assembly"/> has precompiled (ReadyToRun) code. Null when it has no file, and on .NET Framework and Mono,
    /// which keep native images elsewhere.
    /// </summary>
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
