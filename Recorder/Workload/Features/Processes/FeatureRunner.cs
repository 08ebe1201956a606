using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>Tries all features with serializers in separate processes, so that a crash or hang costs one cell.</summary>
/// <param name="processes">Starts the processes.</param>
/// <param name="limit">
/// Maximum silence before a process is killed: in CPU time, or in wall-clock time when it is almost idle, as in a deadlock.
/// </param>
public sealed class FeatureRunner(ChildProcess processes, TimeSpan limit)
{
    /// <summary>Tries the features.</summary>
    /// <param name="serializers">The serializers.</param>
    /// <param name="features">The features, simplest first.</param>
    /// <param name="stop">Kills the processes.</param>
    /// <exception cref="OperationCanceledException"><paramref name="stop"/> was cancelled.</exception>
    /// <exception cref="RunFailedException">A process cannot be started.</exception>
    public IReadOnlyList<FeatureRow> Run(
        IReadOnlyList<SerializerDescription> serializers,
        IReadOnlyList<Feature> features,
        CancellationToken stop
    )
    {
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(features);
        var rows = new FeatureRow[serializers.Count];
        var options = new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount, CancellationToken = stop };
        try
        {
            Parallel.For(0, rows.Length, options, i => rows[i] = FeatureRow.Of(serializers[i], Cells(serializers[i], features, stop)));
        }
        catch (AggregateException exception)
        {
            throw exception.InnerExceptions.FirstOrDefault(inner => inner is OperationCanceledException) is { } cancelled
                ? new OperationCanceledException(cancelled.Message, cancelled, stop)
                : new RunFailedException(FirstLine.Of(exception.InnerExceptions[0]));
        }

        return rows;
    }

    private Dictionary<string, FeatureCell> Cells(SerializerDescription serializer, IReadOnlyList<Feature> features, CancellationToken stop)
    {
        var subject = new FeatureSubject(serializer.Name, serializer.PluginPath);
        var pending = Attempts(serializer, features);
        var seen = new Dictionary<FeatureAttempt, FeatureCell>();
        while (pending.Count > 0)
        {
            using (var child = new FeatureChild(processes.StartInfo(new FeatureArguments(subject, pending).ToArguments()), limit))
                child.Collect(pending[0], seen, stop);
            if (seen.TryGetValue(new FeatureAttempt(features[0].Key, WithOptIn: false), out var plainest) && plainest.IsFatal)
                return features.ToDictionary(
                    feature => feature.Key,
                    feature =>
                        feature == features[0]
                            ? plainest
                            : new FeatureCell(FeatureCell.NotTried, $"{plainest.Seen} with {features[0].Title}")
                );
            pending.RemoveAll(attempt =>
                seen.ContainsKey(attempt)
                || (
                    attempt.WithOptIn
                    && seen.TryGetValue(attempt with { WithOptIn = false }, out var cell)
                    && cell.Seen is FeatureCell.Yes or FeatureCell.OwnTypesOnly
                )
            );
        }

        return features.ToDictionary(
            feature => feature.Key,
            feature =>
                FeatureCell.Merge(
                    seen[new FeatureAttempt(feature.Key, WithOptIn: false)],
                    seen.TryGetValue(new FeatureAttempt(feature.Key, WithOptIn: true), out var with) ? with : null
                )
        );
    }

    private static List<FeatureAttempt> Attempts(SerializerDescription serializer, IReadOnlyList<Feature> features)
    {
        var attempts = new List<FeatureAttempt>();
        foreach (var feature in features)
        {
            attempts.Add(new FeatureAttempt(feature.Key, WithOptIn: false));
            if (
                feature.OptIn == FeatureOptIn.KnownTypes
                || (feature.OptIn == FeatureOptIn.ReferenceTracking && serializer.TracksReferences)
            )
                attempts.Add(new FeatureAttempt(feature.Key, WithOptIn: true));
        }

        return attempts;
    }
}
