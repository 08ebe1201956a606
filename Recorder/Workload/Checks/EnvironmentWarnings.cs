using System.Diagnostics;
using System.Reflection;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Checks;

/// <summary>Finds settings of this process that distort results or make them hard to compare.</summary>
public static class EnvironmentWarnings
{
    private const string TieringSwitch = "System.Runtime.TieredCompilation";

    private static readonly string[] s_tieringVariables = ["DOTNET_TieredCompilation", "COMPlus_TieredCompilation"];

    /// <summary>All warnings, a line each.</summary>
    /// <param name="serializers">The serializers to compare.</param>
    public static IEnumerable<string> Of(IReadOnlyList<SerializerDescription> serializers) =>
        [
            .. DebugBuilds(typeof(EnvironmentWarnings).Assembly, typeof(RunClock).Assembly),
            .. Debugger.IsAttached
                ? ["a debugger is attached: code is slower, and the debugger stops at exceptions and loads"]
                : Array.Empty<string>(),
            .. Tiering(Environment.GetEnvironmentVariable, AppContext.TryGetSwitch(TieringSwitch, out var tiering) ? tiering : null),
            .. JitOnly(serializers),
        ];

    /// <summary>Warns about assemblies that were compiled without optimization.</summary>
    public static IEnumerable<string> DebugBuilds(params Assembly[] assemblies) =>
        from assembly in assemblies
        where assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true }
        select $"{assembly.GetName().Name} is a debug build: build it with -c Release";

    /// <summary>
    /// Warns when tiered compilation is off: the JIT then compiles every method once and fully, which is not the default of any program.
    /// </summary>
    /// <param name="variable">Reads an environment variable.</param>
    /// <param name="setting">The switch of the runtime configuration; null when it is not set.</param>
    public static IEnumerable<string> Tiering(Func<string, string?> variable, bool? setting)
    {
        ArgumentNullException.ThrowIfNull(variable);

        // The environment overrides the runtime configuration.
        if (s_tieringVariables.FirstOrDefault(name => variable(name) is not null) is { } name)
            return variable(name) == "0" ? [$"tiered compilation is off ({name}=0)"] : [];
        return setting == false ? [$"tiered compilation is off ({TieringSwitch} in the runtime configuration)"] : [];
    }

    /// <summary>
    /// Warns when some serializers have a precompiled library and others do not: their first calls and warm-ups are not comparable.
    /// </summary>
    public static IEnumerable<string> JitOnly(IReadOnlyList<SerializerDescription> serializers)
    {
        var code = serializers.ToLookup(serializer => ManagedCode.IsReadyToRun(serializer.LibraryAssembly), serializer => serializer.Name);
        return code.Contains(true) && code.Contains(false)
            ?
            [
                $"{string.Join(", ", code[false])}: compiled by the JIT at first use, unlike the precompiled (ReadyToRun) libraries of the other serializers",
            ]
            : [];
    }
}
