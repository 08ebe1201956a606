using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>The profiles of the folder Profiles/: a file for each purpose, made from the same plans as everything else.</summary>
public static class WprpProfiles
{
    /// <summary>Memory of a profile in memory mode, for all its sessions: as <c>esp-record --mode circular:512MB</c>.</summary>
    private const long CircularBytes = 512L << 20;

    /// <summary>All of them.</summary>
    public static IReadOnlyList<WprpProfile> All { get; } =
    [
        Create(EtwPurpose.Runs, "Runs of serializers: CPU samples, context switches, garbage collections, JIT, exceptions, locks", hasLight: true),
        Create(EtwPurpose.Allocation, "Where memory is allocated: allocation ticks with stacks in a session of their own", hasLight: false),
        Create(EtwPurpose.FirstCall, "First calls: also registry accesses, how assemblies are looked for, type loads", hasLight: false),
        Create(EtwPurpose.Exceptions, "Thrown exceptions with their stacks and little else; for hours", hasLight: false),
    ];

    /// <summary>The profile of one recording.</summary>
    public static WprpProfile Of(EtwPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var other = plan with { Mode = plan.IsCircular ? RecordingMode.File : RecordingMode.Circular(CircularBytes) };
        return new WprpProfile(WprProfileNames.Of(plan.Purpose), $"EtwSerializerProfiler {plan.Purpose}", [new WprpVariant(WprpDetail.Verbose, plan), new WprpVariant(WprpDetail.Verbose, other)]);
    }

    private static WprpProfile Create(EtwPurpose purpose, string description, bool hasLight)
    {
        List<WprpVariant> variants = [];
        foreach (var detail in hasLight ? (WprpDetail[])[WprpDetail.Verbose, WprpDetail.Light] : [WprpDetail.Verbose])
        {
            variants.Add(new WprpVariant(detail, Plan(purpose, detail, RecordingMode.File)));
            variants.Add(new WprpVariant(detail, Plan(purpose, detail, RecordingMode.Circular(CircularBytes))));
        }

        return new WprpProfile(WprProfileNames.Of(purpose), description, variants);
    }

    /// <summary>Light has switches without stacks, which cost several times the switch, and no inline trees: runs and causes are still told, waits have no place.</summary>
    private static EtwPlan Plan(EtwPurpose purpose, WprpDetail detail, RecordingMode mode)
    {
        var options = new EtwPlanOptions { Purpose = purpose, SessionPrefix = EtwSessionName.Mark, Mode = mode, NtKernelLogger = true, InlineInfo = detail == WprpDetail.Verbose };
        var plan = EtwPresets.Create(options, EtwMachine.Typical);
        return detail == WprpDetail.Verbose ? plan : plan with { Kernel = plan.Kernel with { StackEvents = plan.Kernel.StackEvents & KernelEvents.Profile } };
    }
}
