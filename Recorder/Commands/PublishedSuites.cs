using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Publishes the builds that a <see cref="RuntimePlan"/> needs and reports progress.</summary>
/// <param name="parsed">The command line.</param>
internal sealed class PublishedSuites(ParseResult parsed)
{
    /// <summary>Builds that can start, in the order of the plan.</summary>
    public List<PublishPlan> Ready { get; } = [];

    /// <summary>What cannot be recorded, one problem each.</summary>
    public List<Problem> Problems { get; } = [];

    /// <summary>Plans for this machine and reports deviations from the request.</summary>
    public static async Task<RuntimePlan> PlanAsync(
        ParseResult parsed,
        IReadOnlyList<RuntimeTarget> targets,
        PrecompileMode precompile,
        CancellationToken cancellation
    )
    {
        var machine = await RuntimeMachine.ReadAsync(BuiltInSuite.DotNetRoot, cancellation).ConfigureAwait(false);
        var plan = RuntimePlan.Create(targets, precompile, machine, BuiltInSuite.Project, BuiltInSuite.Shipped);
        foreach (var note in plan.Notes)
            parsed.Messages().Note(note);
        return plan;
    }

    /// <summary>
    /// The suite's program compiled by NativeAOT, if it was published from the current sources; null otherwise. Publishes nothing.
    /// </summary>
    public static async Task<string?> NativeAotProgramAsync(CancellationToken cancellation)
    {
        var machine = await RuntimeMachine.ReadAsync(BuiltInSuite.DotNetRoot, cancellation).ConfigureAwait(false);
        var plan = RuntimePlan.Create([RuntimeTarget.Net10Aot], PrecompileMode.Off, machine, BuiltInSuite.Project, BuiltInSuite.Shipped);
        return plan.Builds.FirstOrDefault(new WorkloadPublisher(BuiltInSuite.Project).IsCurrent)?.Launch[0];
    }

    /// <summary>Publishes one build after the other; a failed one does not affect the others.</summary>
    /// <exception cref="OperationCanceledException">The user ended it.</exception>
    public async Task PublishAsync(RuntimePlan plan, CancellationToken cancellation)
    {
        foreach (var problem in plan.Problems)
            Fail(problem);
        var publisher = new WorkloadPublisher(BuiltInSuite.Project);
        foreach (var build in plan.Builds)
        {
            try
            {
                if (!publisher.IsCurrent(build))
                    await parsed
                        .InvocationConfiguration.Error.WriteLineAsync($"publishing the suite for {build.Label}: {build.Reason}")
                        .ConfigureAwait(false);
                if (await publisher.PublishAsync(build, cancellation).ConfigureAwait(false) is { } took)
                    await parsed
                        .InvocationConfiguration.Error.WriteLineAsync(
                            string.Create(CultureInfo.InvariantCulture, $"published in {took.TotalSeconds:F0} s")
                        )
                        .ConfigureAwait(false);
                if (build.Mono is not null)
                {
                    foreach (var missing in await SuiteProbe.RunAsync(build, EnvironmentOf(build), cancellation).ConfigureAwait(false))
                        parsed.Messages().Note($"{build.Label}: {missing}");
                }

                Ready.Add(build);
            }
            catch (PublishException exception)
            {
                Fail(exception.Problem with { Where = $"{build.Label}: {exception.Problem.Where}" });
            }
        }
    }

    /// <summary>Keeps the builds that pass <paramref name="check"/> and reports why the others fail.</summary>
    /// <param name="check">Throws a <see cref="PublishException"/> for an unusable build.</param>
    public async Task KeepAsync(Func<PublishPlan, Task> check)
    {
        foreach (var build in Ready.ToList())
        {
            try
            {
                await check(build).ConfigureAwait(false);
            }
            catch (PublishException exception)
            {
                Ready.Remove(build);
                Fail(exception.Problem);
            }
        }
    }

    /// <summary>Variables that a build needs to start, with those of Mono.</summary>
    public static Dictionary<string, string?> EnvironmentOf(PublishPlan build)
    {
        var environment = new Dictionary<string, string?>(build.Environment);
        foreach (var variable in Variables(build, [], jitAll: false).Where(variable => !variable.SetByUser))
            environment[variable.Name] = variable.Value;
        return environment;
    }

    /// <summary>The variables that determine which information a build's runtime records.</summary>
    /// <param name="build">The build.</param>
    /// <param name="sessions">The planned sessions.</param>
    /// <param name="jitAll">Whether to use no precompiled code.</param>
    /// <param name="firstCalls">Whether first calls are measured; these need the same start-up as users' programs.</param>
    public static IReadOnlyList<RuntimeVariable> Variables(
        PublishPlan build,
        IReadOnlyList<PlannedSession> sessions,
        bool jitAll,
        bool firstCalls = false
    ) =>
        build.Mono is null
            ? RuntimeVariables.Create(build.HasEventPipe ? sessions : [], jitAll, Environment.GetEnvironmentVariable)
            : RuntimeVariables.CreateForMono(build.FacadesFolder, Environment.GetEnvironmentVariable, precompiled: firstCalls && !jitAll);

    /// <summary>Describes a build for recording.json.</summary>
    /// <param name="build">The published build.</param>
    /// <param name="variables">The variables planned for it.</param>
    public static RecordedWorkload Describe(PublishPlan build, IReadOnlyList<RuntimeVariable> variables)
    {
        var environment = new Dictionary<string, string>();
        foreach (System.Collections.DictionaryEntry variable in Environment.GetEnvironmentVariables())
            environment[(string)variable.Key] = (string?)variable.Value ?? "";
        foreach (var variable in variables)
            environment[variable.Name] = variable.Value;
        return WorkloadInspection.Describe(build, environment);
    }

    private void Fail(Problem problem)
    {
        Problems.Add(problem);
        parsed.Messages().Error(problem);
    }
}
