using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>A runtime for recording the suite, as <c>--runtime</c> names it.</summary>
/// <param name="Name">Name on the command line, in tables, and of the recording's folder.</param>
/// <param name="Kind">Kind of runtime.</param>
/// <param name="TargetFramework">Target framework of the suite's build.</param>
/// <param name="Major">Major version of the runtime; 0 if the framework does not determine it (.NET Framework, Mono).</param>
public sealed record RuntimeTarget(string Name, RuntimeKind Kind, string TargetFramework, int Major)
{
    /// <summary>The runtime of esp-record itself; the suite for it is beside esp-record.</summary>
    public static RuntimeTarget Net10 { get; } = new("net10.0", RuntimeKind.Modern, "net10.0", 10);

    /// <summary>.NET 9.</summary>
    public static RuntimeTarget Net9 { get; } = new("net9.0", RuntimeKind.Modern, "net9.0", 9);

    /// <summary>.NET 8.</summary>
    public static RuntimeTarget Net8 { get; } = new("net8.0", RuntimeKind.Modern, "net8.0", 8);

    /// <summary>.NET 10 without a JIT: the suite and its adapters are compiled ahead of time into one program.</summary>
    public static RuntimeTarget Net10Aot { get; } = new("net10.0-aot", RuntimeKind.NativeAot, "net10.0", 10);

    /// <summary>.NET Framework 4.7.2 and later on Windows; Mono elsewhere.</summary>
    public static RuntimeTarget Net472 { get; } = new("net472", RuntimeKind.Framework, "net472", 0);

    /// <summary>Mono, with the build for .NET Framework.</summary>
    public static RuntimeTarget Mono { get; } = new("mono", RuntimeKind.Mono, "net472", 0);

    /// <summary>All runtimes in the order of messages.</summary>
    public static IReadOnlyList<RuntimeTarget> All { get; } = [Net10, Net9, Net8, Net10Aot, Net472, Mono];

    /// <summary>The valid names, for messages.</summary>
    public static string Legal { get; } = string.Join(", ", All.Select(target => target.Name));

    /// <summary>The runtimes whose name contains a text.</summary>
    /// <param name="text">The user's text.</param>
    public static IReadOnlyList<RuntimeTarget> Find(string text)
    {
        var names = NameChoice.Find(text, All.Select(target => target.Name));
        return [.. All.Where(target => names.Contains(target.Name))];
    }
}
