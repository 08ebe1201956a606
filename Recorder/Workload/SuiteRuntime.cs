using System.Runtime.InteropServices;
#if NET
using System.Runtime.CompilerServices;
#endif

namespace EtwSerializerProfiler.Workload;

/// <summary>The runtime of this process.</summary>
public static class SuiteRuntime
{
    /// <summary>Whether it is .NET 5 or later, with version <see cref="Environment.Version"/>.</summary>
    public static bool IsNet =>
#if NET
        true;
#else
        false;
#endif

    /// <summary>Whether it is .NET compiled ahead of time (NativeAOT): no JIT, no plugins.</summary>
    public static bool IsNativeAot =>
#if NET
        !RuntimeFeature.IsDynamicCodeSupported;
#else
        false;
#endif

    /// <summary>Whether it is Mono (the .NET Framework variant).</summary>
    public static bool IsMono { get; } = Type.GetType("Mono.Runtime") is not null;

    /// <summary>
    /// Name and version for output: <c>.NET 10.0.12</c>, <c>.NET NativeAOT 10.0.12</c>, <c>.NET Framework 4.8.9221.0</c>, <c>Mono
    /// 6.8.0.105</c>.
    /// </summary>
    public static string Name { get; } =
        IsNativeAot ? $".NET NativeAOT {Environment.Version}" : RuntimeInformation.FrameworkDescription.Split('(')[0].Trim();

    /// <summary>Short name as in options and tables: <c>net10.0</c>, <c>net10.0-aot</c>, <c>net472</c>, <c>mono</c>.</summary>
    public static string Label { get; } =
        IsNet
            ? string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"net{Environment.Version.Major}.{Environment.Version.Minor}{(IsNativeAot ? "-aot" : "")}"
            )
        : IsMono ? "mono"
        : "net472";
}
