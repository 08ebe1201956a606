using System.Diagnostics.CodeAnalysis;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>A runtime the suite can be recorded on, as <c>--runtime</c> names it.</summary>
/// <param name="Name">Name on the command line, in tables and of the recording's folder.</param>
/// <param name="Kind">What runs it.</param>
/// <param name="TargetFramework">Framework the suite is built for.</param>
/// <param name="Major">Major version of the runtime, 0 where it is not the framework that decides (.NET Framework, Mono).</param>
public sealed record RuntimeTarget(string Name, RuntimeKind Kind, string TargetFramework, int Major)
{
    /// <summary>The runtime esp-record itself runs on: the suite built for it lies beside esp-record.</summary>
    public static RuntimeTarget Net10 { get; } = new("net10.0", RuntimeKind.Modern, "net10.0", 10);

    /// <summary>.NET 9.</summary>
    public static RuntimeTarget Net9 { get; } = new("net9.0", RuntimeKind.Modern, "net9.0", 9);

    /// <summary>.NET 8.</summary>
    public static RuntimeTarget Net8 { get; } = new("net8.0", RuntimeKind.Modern, "net8.0", 8);

    /// <summary>.NET Framework 4.7.2 and later on Windows; Mono elsewhere.</summary>
    public static RuntimeTarget Net472 { get; } = new("net472", RuntimeKind.Framework, "net472", 0);

    /// <summary>Mono, with the build for .NET Framework.</summary>
    public static RuntimeTarget Mono { get; } = new("mono", RuntimeKind.Mono, "net472", 0);

    /// <summary>All runtimes, in the order in which messages list them.</summary>
    public static IReadOnlyList<RuntimeTarget> All { get; } = [Net10, Net9, Net8, Net472, Mono];

    /// <summary>The legal names, for messages.</summary>
    public static string Legal { get; } = string.Join(", ", All.Select(target => target.Name));

    /// <summary>Finds a runtime by its name, in any case.</summary>
    /// <param name="text">What the user wrote.</param>
    /// <param name="target">The runtime.</param>
    /// <param name="error">What is wrong and what is legal; empty when it was found.</param>
    public static bool TryParse(string text, [NotNullWhen(true)] out RuntimeTarget? target, out string error)
    {
        target = All.FirstOrDefault(candidate => candidate.Name.Equals(text, StringComparison.OrdinalIgnoreCase));
        error = target is null ? $"there is no runtime '{text}'; choose from {Legal}" : "";
        return target is not null;
    }
}
