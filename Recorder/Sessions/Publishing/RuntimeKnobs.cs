using System.Text.Json;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Finds the settings of a .NET runtime or Mono for a program: those that are set and those at their default.</summary>
/// <remarks>
/// Names, defaults and precedence (a variable overrides runtimeconfig.json) are from Microsoft's documentation of .NET's runtime
/// configuration and from clrconfignames.h. Numbers in variables are hexadecimal and stay as written.
/// </remarks>
public static class RuntimeKnobs
{
    /// <summary>Source of a knob that nothing sets.</summary>
    private const string DefaultSource = "default";

    /// <summary>
    /// The knobs that are always listed: name, variable after DOTNET_, property of runtimeconfig.json (empty for none), default.
    /// </summary>
    private static readonly (string Name, string Variable, string Property, bool Default)[] s_reported =
    [
        ("TieredCompilation", "TieredCompilation", "System.Runtime.TieredCompilation", true),
        ("TieredPGO", "TieredPGO", "System.Runtime.TieredPGO", true), // since .NET 8
        ("QuickJit", "TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit", true),
        ("QuickJitForLoops", "TC_QuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops", true),
        ("ReadyToRun", "ReadyToRun", "", true),
        ("GCServer", "gcServer", "System.GC.Server", false),
        ("GCConcurrent", "gcConcurrent", "System.GC.Concurrent", true),
    ];

    /// <summary>Prefixes of other variables (after DOTNET_, ignoring case) that change what is measured.</summary>
    private static readonly string[] s_families =
    [
        "GC",
        "Jit",
        "TC_",
        "Tiered",
        "OSR",
        "PGO",
        "Enable",
        "Thread",
        "ReadyToRun",
        "ZapDisable",
    ];

    /// <summary>Variables with such a prefix that only enable tools.</summary>
    private static readonly string[] s_notMeasured =
    [
        "EnableDiagnostics",
        "EnableEventPipe",
        "EnableEventLog",
        "EnableCrashReport",
        "JitStdOutFile",
    ];

    /// <summary>The knobs of a .NET runtime.</summary>
    /// <param name="configuration">Content of the program's runtimeconfig.json; empty when it has none.</param>
    /// <param name="environment">The program's environment.</param>
    public static IReadOnlyList<RuntimeKnob> OfModern(string configuration, IReadOnlyDictionary<string, string> environment)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        ArgumentNullException.ThrowIfNull(environment);
        var properties = Properties(configuration);
        var knobs = new List<RuntimeKnob>();
        foreach (var (name, variable, property, value) in s_reported)
        {
            if (Variable(variable, environment) is { } set)
                knobs.Add(new RuntimeKnob(name, set.Value, set.Name));
            else if (properties.TryGetValue(property, out var configured))
                knobs.Add(new RuntimeKnob(name, configured, "runtimeconfig.json"));
            else
                knobs.Add(new RuntimeKnob(name, value ? "true" : "false", DefaultSource));
        }

        var reported = s_reported
            .SelectMany(knob => (string[])[$"DOTNET_{knob.Variable}", $"COMPlus_{knob.Variable}"])
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        knobs.AddRange(
            environment
                .Where(variable =>
                    !reported.Contains(variable.Key)
                    && Stem(variable.Key) is { } stem
                    && StartsWithAny(stem, s_families)
                    && !StartsWithAny(stem, s_notMeasured)
                )
                .OrderBy(variable => variable.Key, StringComparer.Ordinal)
                .Select(variable => new RuntimeKnob(Stem(variable.Key)!, variable.Value, variable.Key))
        );
        knobs.AddRange(
            properties
                .Where(property =>
                    property.Key.StartsWith("System.GC.", StringComparison.Ordinal) && s_reported.All(knob => knob.Property != property.Key)
                )
                .Select(property => new RuntimeKnob(property.Key, property.Value, "runtimeconfig.json"))
        );
        return knobs;
    }

    /// <summary>
    /// The knobs of a program compiled by NativeAOT: those of the collector. Its configuration is compiled in, and it has no JIT.
    /// </summary>
    /// <param name="environment">The program's environment.</param>
    public static IReadOnlyList<RuntimeKnob> OfNativeAot(IReadOnlyDictionary<string, string> environment) =>
        [.. OfModern("", environment).Where(knob => knob.Name.StartsWith("GC", StringComparison.OrdinalIgnoreCase))];

    /// <summary>The knobs of Mono: its collector and each of its variables that is set.</summary>
    /// <param name="mono">Mono.</param>
    /// <param name="environment">The program's environment.</param>
    public static IReadOnlyList<RuntimeKnob> OfMono(MonoInstallation mono, IReadOnlyDictionary<string, string> environment)
    {
        ArgumentNullException.ThrowIfNull(mono);
        ArgumentNullException.ThrowIfNull(environment);
        return
        [
            .. mono.Collector.Length > 0 ? [new RuntimeKnob("GC", mono.Collector, "mono --version")] : Array.Empty<RuntimeKnob>(),
            .. environment
                .Where(variable => variable.Key.StartsWith("MONO_", StringComparison.Ordinal))
                .OrderBy(variable => variable.Key, StringComparer.Ordinal)
                .Select(variable => new RuntimeKnob(variable.Key, variable.Value, variable.Key)),
        ];
    }

    private static (string Name, string Value)? Variable(string name, IReadOnlyDictionary<string, string> environment)
    {
        foreach (var candidate in (string[])[$"DOTNET_{name}", $"COMPlus_{name}"])
        {
            if (environment.TryGetValue(candidate, out var value) && value.Length > 0)
                return (candidate, value);
        }

        return null;
    }

    /// <summary>The name of a variable after the runtime's prefix; null for variables of other programs.</summary>
    private static string? Stem(string name) =>
        name.StartsWith("DOTNET_", StringComparison.OrdinalIgnoreCase) ? name["DOTNET_".Length..]
        : name.StartsWith("COMPlus_", StringComparison.OrdinalIgnoreCase) ? name["COMPlus_".Length..]
        : null;

    private static bool StartsWithAny(string text, string[] starts) =>
        starts.Any(start => text.StartsWith(start, StringComparison.OrdinalIgnoreCase));

    private static Dictionary<string, string> Properties(string configuration)
    {
        var properties = new Dictionary<string, string>();
        if (configuration.Length == 0)
            return properties;
        using var document = JsonDocument.Parse(configuration);
        if (
            !document.RootElement.TryGetProperty("runtimeOptions", out var options)
            || !options.TryGetProperty("configProperties", out var configured)
        )
            return properties;
        foreach (var property in configured.EnumerateObject())
            properties[property.Name] =
                property.Value.ValueKind == JsonValueKind.String ? property.Value.GetString()! : property.Value.GetRawText();
        return properties;
    }
}
