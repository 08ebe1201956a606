using System.Globalization;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Uses one instance on several threads at once.</summary>
public sealed class ThreadSafetyFeature()
    : Feature(
        "threads",
        BehaviourFeatures.Group,
        "failures on 4 threads",
        "4 threads use a new instance at once, from its first call, each with its own data; 100 round trips per thread are compared. A trial without failures does not prove that none can occur."
    )
{
    private const int Threads = 4;

    private const int RoundTrips = 100;

    /// <inheritdoc/>
    public override bool UsesSuiteData => true;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var (serializer, model) = trial.ConstructForSuiteData();
        var failures = new List<string>();
        using var start = new Barrier(Threads);
        var threads = Enumerable
            .Range(1, Threads)
            .Select(number => new Thread(() => Run(number, serializer, model, start, failures)))
            .ToList();
        foreach (var thread in threads)
            thread.Start();
        foreach (var thread in threads)
            thread.Join();
        return failures.Count == 0
            ? new FeatureCell(string.Create(CultureInfo.InvariantCulture, $"none seen in {Threads * RoundTrips}"))
            : new FeatureCell(string.Create(CultureInfo.InvariantCulture, $"{failures.Count} of {Threads * RoundTrips}"), failures[0]);
    }

    private static void Run(int number, Serializer serializer, GraphModel model, Barrier start, List<string> failures)
    {
        var graph = model.Create(objectCount: 10 * number, payloadBytes: number);
        start.SignalAndWait();
        for (var i = 0; i < RoundTrips; i++)
        {
            if (Failure(serializer, model, graph) is { } failure)
            {
                lock (failures)
                    failures.Add(failure);
            }
        }
    }

    private static string? Failure(Serializer serializer, GraphModel model, object graph)
    {
        try
        {
            using var written = FeatureTrial.Write(serializer, graph);
            using var read = written.Reopen();
            return model.Difference(graph, FeatureTrial.Read<object>(serializer, read));
        }
        catch (TrialFailedException exception)
        {
            return exception.Message;
        }
    }
}
