using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Features.Trials;

namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>A process that tries features, in which a serializer may crash or hang.</summary>
public static class FeatureProcess
{
    // Stack size of a main thread on Windows, so that stack overflows do not depend on the system.
    private const int StackBytes = 1 << 20;

    /// <summary>Tries the features and writes a line before and after each; see <see cref="FeatureAnswer"/>.</summary>
    /// <returns>Exit code 0.</returns>
    public static int Run(FeatureArguments arguments, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        ArgumentNullException.ThrowIfNull(output);
        var thread = new Thread(() => TryAll(arguments, output), StackBytes);
        thread.Start();
        thread.Join();
        return 0;
    }

    private static void TryAll(FeatureArguments arguments, TextWriter output)
    {
        var worked = new HashSet<string>(StringComparer.Ordinal);
        foreach (var attempt in arguments.Attempts)
        {
            if (attempt.WithOptIn && worked.Contains(attempt.Key))
                continue;
            output.WriteLine(new FeatureAnswer(attempt, Cell: null).ToLine());
            output.Flush();
            var cell = Try(arguments.Subject, FeatureRegistry.Of(attempt.Key), attempt.WithOptIn);
            output.WriteLine(new FeatureAnswer(attempt, cell).ToLine());
            output.Flush();
            if (cell.Seen is FeatureCell.Yes or FeatureCell.OwnTypesOnly)
                worked.Add(attempt.Key);
        }
    }

    private static FeatureCell Try(FeatureSubject subject, Feature feature, bool withOptIn)
    {
        var settings = new SerializerSettings
        {
            ReferenceTracking = withOptIn && feature.OptIn == FeatureOptIn.ReferenceTracking,
            KnownTypes = withOptIn && feature.OptIn == FeatureOptIn.KnownTypes ? feature.KnownTypes : [],
        };
        try
        {
            return feature.Try(new FeatureTrial(subject, settings));
        }
        catch (OwnTypesException)
        {
            return new FeatureCell(FeatureCell.OwnTypesOnly);
        }
        catch (TrialFailedException exception)
        {
            return FeatureCell.Failed(exception.Message);
        }
#pragma warning disable CA1031 // the object that a serializer returns may throw when it is compared
        catch (Exception exception)
#pragma warning restore CA1031
        {
            return FeatureCell.Failed($"on comparing: {TrialFailedException.Text(exception)}");
        }
    }
}
