using System.Reflection;
using System.Reflection.PortableExecutable;

namespace EtwSerializerProfiler.Workload.Checks;

/// <summary>Tells how the code of an assembly reaches the CPU.</summary>
public static class ManagedCode
{
    /// <summary>Whether <paramref name="assembly"/> carries precompiled (ReadyToRun) code; null when it has no file to look into.</summary>
    public static bool? IsReadyToRun(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        if (assembly.Location.Length == 0)
            return null;
        using var file = File.OpenRead(assembly.Location);
        using var reader = new PEReader(file);
        return reader.PEHeaders.CorHeader is { ManagedNativeHeaderDirectory.Size: > 0 };
    }
}
