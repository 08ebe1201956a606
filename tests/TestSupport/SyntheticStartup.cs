using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Startup events of a made-up trace. Times in µs.</summary>
public static class SyntheticStartup
{
    /// <summary>Launch time of a run's process, by its launcher's clock.</summary>
    public static SyntheticTrace Launched(this SyntheticTrace trace, double launch, double eventTime, int run = 1) =>
        Checked(trace).Add(eventTime, SyntheticTrace.Main, (hub, at) => hub.Publish(new ProcessLaunched(at, run, (long)(launch * 1000))));

    /// <summary>A compilation from start to end, of a method of a module or of a dynamic one.</summary>
    public static SyntheticTrace Compile(
        this SyntheticTrace trace,
        double start,
        double stop,
        long method,
        CodeTier tier = CodeTier.Tier0,
        long module = 1,
        bool dynamic = false,
        string name = "M",
        int thread = SyntheticTrace.Main
    ) =>
        Checked(trace)
            .JitStart(start, method, thread)
            .Add(
                stop,
                thread,
                (hub, at) =>
                    hub.Publish(
                        new MethodLoaded
                        {
                            At = at,
                            MethodId = method,
                            ModuleId = module,
                            IsJitted = true,
                            IsDynamic = dynamic,
                            Tier = tier,
                            Name = name,
                        }
                    )
            );

    /// <summary>The load of a type from start to end.</summary>
    public static SyntheticTrace TypeLoad(
        this SyntheticTrace trace,
        double start,
        double stop,
        int load,
        long type,
        int thread = SyntheticTrace.Main
    ) =>
        Checked(trace)
            .Add(start, thread, (hub, at) => hub.Publish(new TypeLoadStarted(at, load)))
            .Add(stop, thread, (hub, at) => hub.Publish(new TypeLoadStopped(at, load, type)));

    /// <summary>An assembly and its module are loaded.</summary>
    public static SyntheticTrace Assembly(
        this SyntheticTrace trace,
        double time,
        long id,
        string fullName,
        bool dynamic = false,
        bool precompiled = true
    ) =>
        Checked(trace)
            .Add(
                time,
                SyntheticTrace.Main,
                (hub, at) => hub.Publish(new AssemblyModuleLoaded(at, id * 10, id, dynamic, precompiled && !dynamic))
            )
            .Add(time, SyntheticTrace.Main, (hub, at) => hub.Publish(new AssemblyLoaded(at, id, dynamic, fullName)));

    /// <summary>An assembly bind.</summary>
    public static SyntheticTrace AssemblyBind(this SyntheticTrace trace, double time, string fullName, bool found) =>
        Checked(trace).Add(time, SyntheticTrace.Main, (hub, at) => hub.Publish(new AssemblyBind(at, fullName, "", found, "")));

    /// <summary>A lookup of a method's precompiled code.</summary>
    public static SyntheticTrace Precompiled(this SyntheticTrace trace, double time, bool found = true) =>
        Checked(trace).Add(time, SyntheticTrace.Main, (hub, at) => hub.Publish(new PrecompiledCodeLookup(at, found)));

    private static SyntheticTrace Checked(SyntheticTrace trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        return trace;
    }
}
