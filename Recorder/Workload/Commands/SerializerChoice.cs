using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>The serializers that take part in what the options ask for.</summary>
public static class SerializerChoice
{
    /// <summary>Finding out takes a serializer less than a second.</summary>
    private static readonly TimeSpan s_trialLimit = TimeSpan.FromSeconds(30);

    /// <summary>Chooses the serializers and has them track references, if that is asked for. What is left out is said.</summary>
    /// <param name="options">What is asked for.</param>
    /// <param name="warning">Told of what is left out, one line each.</param>
    /// <exception cref="ArgumentException">A filter chooses none.</exception>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static IReadOnlyList<SerializerDescription> Of(SuiteOptions options, Action<string> warning)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(warning);
        var chosen = SerializerRegistry.Select(SerializerRegistry.For(options.Data, options.Plugins, warning), options.Serializers);
        var serializers = new List<SerializerDescription>();
        foreach (var serializer in chosen)
        {
            // The suite's own data is made for all serializers: who fails there is an error of a run. Other data may ask too much of some.
            var reason = serializer.KnownFailure.Length > 0 ? serializer.KnownFailure : options.Data.Length > 0 ? TrialProcess.WhyUnavailable(serializer, ChildProcess.OfThisExecutable(s_trialLimit)) : null;
            if (reason is null)
                serializers.Add(serializer);
            else
                warning($"{serializer.Name} left out: {reason}");
        }

        return options.ReferenceTracking ? WithReferences(serializers, warning) : serializers;
    }

    /// <summary>The serializers to list: also those that are known to fail here, which the list says.</summary>
    /// <returns>Those that there are, and those that the suite was built without.</returns>
    /// <exception cref="ArgumentException">A filter chooses none of either.</exception>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutAdapter> LeftOut) ToList(SuiteOptions options, Action<string> warning)
    {
        ArgumentNullException.ThrowIfNull(options);
        var filters = options.Serializers;
        var leftOut = Adapters.LeftOut.Where(adapter => filters.Count == 0 || filters.Any(filter => filter.Matches(adapter.Name))).ToList();
        var ofThese = filters.Where(filter => !leftOut.Any(adapter => filter.Matches(adapter.Name))).ToList();
        if (options.Data.Length > 0)
            return (Of(options, warning), leftOut);
        var all = SerializerRegistry.For("", options.Plugins, warning);
        _ = SerializerRegistry.Select(all, ofThese);
        return ([.. all.Where(serializer => filters.Count == 0 || filters.Any(filter => filter.Matches(serializer.Name)))], leftOut);
    }

    private static List<SerializerDescription> WithReferences(IReadOnlyList<SerializerDescription> serializers, Action<string> warning)
    {
        var without = serializers.Where(serializer => !serializer.TracksReferences).Select(serializer => serializer.Name).ToList();
        if (without.Count > 0)
            warning($"{SuiteOptionSet.ReferenceTrackingName}: {string.Join(", ", without)} {(without.Count == 1 ? "has no such option and runs" : "have no such option and run")} as always");
        var settings = new SerializerSettings { ReferenceTracking = true };
        return [.. serializers.Select(serializer => serializer.TracksReferences ? serializer with { Settings = settings } : serializer)];
    }
}
