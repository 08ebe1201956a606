using System.Diagnostics;
using System.Reflection;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Checks;

/// <summary>Finds what makes figures of this process wrong or hard to compare.</summary>
public static class EnvironmentWarnings
{
    private const string TieringSwitch = "System.Runtime.TieredCompilation";

    private static readonly string[] s_tieringVariables = ["DOTNET_TieredCompilation", "COMPlus_TieredCompilation"];

    /// <summary>All warnings, one line each.</summary>
    /// <param name="serializers">Serializers that are going to be compared.</param>
    public static IEnumerable<string> Of(IReadOnlyList<SerializerDescription> serializers) =>
    [
        .. DebugBuilds(typeof(EnvironmentWarnings).Assembly, typeof(RunClock).Assembly),
        .. Debugger.IsAttached ? ["a debugger is attached: code is slower, and exceptions and loads are stopped at"] : Array.Empty<string>(),
        .. Tiering(Environment.GetEnvironmentVariable, AppContext.TryGetSwitch(TieringSwitch, out var tiering) ? tiering : null),
        .. JitOnly(serializers),
    ];

    /// <summary>Warns of assemblies that the compiler was told not to optimize.</summary>
    public static IEnumerable<string> DebugBuilds(params Assembly[] assemblies)
        => from assembly in assemblies
           where assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true }
           select $"{assembly.GetName().Name} is a debug build: build it with -c Release";

    /// <summary>Warns when tiered compilation is off: every method is then compiled once and fully, which no default program does.</summary>
    /// <param name="variable">Reads an environment variable.</param>
    /// <param name="setting">The runtime configuration's switch, null when it is not set.</param>
    public static IEnumerable<string> Tiering(Func<string, string?> variable, bool? setting)
    {
        ArgumentNullException.ThrowIfNull(variable);

        // The environment wins over the runtime configuration.
        if (s_tieringVariables.FirstOrDefault(name => variable(name) is not null) is { } name)
            return variable(name) == "0" ? [$"tiered compilation is off ({name}=0)"] : [];
        return setting == false ? [$"tiered compilation is off ({TieringSwitch} in the runtime configuration)"] : [];
    }

    /// <summary>Warns when serializers whose library has to be compiled at run time stand beside precompiled ones: first calls and warm-ups are not alike.</summary>
    public static IEnumerable<string> JitOnly(IReadOnlyList<SerializerDescription> serializers)
    {
        var code = serializers.ToLookup(serializer => ManagedCode.IsReadyToRun(serializer.LibraryAssembly), serializer => serializer.Name);
        return code.Contains(true) && code.Contains(false)
            ? [$"{string.Join(", ", code[false])}: compiled by the JIT when first used, unlike the precompiled (ReadyToRun) libraries they are compared with"]
            : [];
    }
}
