using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>The profiles of the folder Profiles/: one file per purpose, created from the same plans as commands and scripts.</summary>
public static class WprpProfiles
{
    /// <summary>Memory of all sessions of a profile in memory mode: as <c>esp-record --mode circular:512MB</c>.</summary>
    private const long CircularBytes = 512L << 20;

    /// <summary>All profiles.</summary>
    public static IReadOnlyList<WprpProfile> All { get; } =
    [
        Create(EtwPurpose.Runs, "Runs of serializers: CPU samples, context switches, GCs, JIT, exceptions, locks", hasLight: true),
        Create(EtwPurpose.Allocation, "Where memory is allocated: allocation ticks with stacks in a session of their own", hasLight: false),
        Create(EtwPurpose.FirstCall, "First calls: also registry accesses, assembly binds, type loads", hasLight: false),
        Create(EtwPurpose.Exceptions, "Thrown exceptions with their stacks and little else; for hours", hasLight: false),
    ];

    /// <summary>The profile of one recording.</summary>
    public static WprpProfile Of(EtwPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var other = plan with { Mode = plan.IsCircular ? RecordingMode.File : RecordingMode.Circular(CircularBytes) };
        return new WprpProfile(
            WprProfileNames.Of(plan.Purpose),
            $"EtwSerializerProfiler {plan.Purpose}",
            [new WprpVariant(WprpDetail.Verbose, plan), new WprpVariant(WprpDetail.Verbose, other)]
        );
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

    /// <summary>
    /// Light has no stacks of context switches, which cost several times the switch, and no inline trees. Runs and causes remain complete;
    /// waits have no location.
    /// </summary>
    private static EtwPlan Plan(EtwPurpose purpose, WprpDetail detail, RecordingMode mode)
    {
        var options = new EtwPlanOptions
        {
            Purpose = purpose,
            SessionPrefix = EtwSessionName.Mark,
            Mode = mode,
            NtKernelLogger = true,
            InlineInfo = detail == WprpDetail.Verbose,
        };
        var plan = EtwPresets.Create(options, EtwMachine.Typical);
        return detail == WprpDetail.Verbose
            ? plan
            : plan with
            {
                Kernel = plan.Kernel with { StackEvents = plan.Kernel.StackEvents & KernelEvents.Profile },
            };
    }
}
