using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>Chooses the serializers for the options.</summary>
public static class SerializerChoice
{
    /// <summary>Time limit of a trial, which takes less than a second.</summary>
    private static readonly TimeSpan s_trialLimit = TimeSpan.FromSeconds(30);

    /// <summary>Chooses the serializers and applies reference tracking if requested. Reports those left out.</summary>
    /// <param name="options">The options.</param>
    /// <param name="warning">Receives a line for each serializer that is left out.</param>
    /// <returns>Chosen serializers that take part, and chosen ones that do not, including those that the build left out.</returns>
    /// <exception cref="ArgumentException">
    /// A filter matches none, or none of the chosen serializers can take part; the message has the reasons.
    /// </exception>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Of(
        SuiteOptions options,
        Action<string> warning
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        return Of(options, SerializerRegistry.For(options.Data, options.Plugins, warning), Adapters.LeftOut, warning);
    }

    /// <summary>Chooses from given serializers.</summary>
    /// <param name="options">The options.</param>
    /// <param name="all">The available serializers.</param>
    /// <param name="absent">Serializers that the build left out.</param>
    /// <param name="warning">Receives a line for each serializer that is left out.</param>
    /// <exception cref="ArgumentException">A filter matches none, or none of the chosen serializers can take part.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Of(
        SuiteOptions options,
        IReadOnlyList<SerializerDescription> all,
        IReadOnlyList<LeftOutSerializer> absent,
        Action<string> warning
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(all);
        ArgumentNullException.ThrowIfNull(absent);
        ArgumentNullException.ThrowIfNull(warning);
        var (serializers, leftOut) = Usable(options, all, absent, warning);
        if (serializers.Count == 0 && options.Scenario.Length == 0)
            throw new ArgumentException(
                $"none of the serializers that {SuiteOptionSet.SerializerName} chooses can run here: {string.Join("; ", leftOut.Select(serializer => $"{serializer.Name}: {serializer.Reason}"))}"
            );
        return (options.ReferenceTracking ? WithReferences(serializers, warning) : serializers, leftOut);
    }

    /// <summary>Loads a single serializer that another process has chosen.</summary>
    /// <param name="options">The options.</param>
    /// <param name="name">Its name.</param>
    /// <param name="pluginPath">Path of its plugin; empty for a built-in one.</param>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) One(
        SuiteOptions options,
        string name,
        string pluginPath
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        return ([new SerializerOrigin(pluginPath, options.Data, options.ReferenceTracking).Find(name)], []);
    }

    /// <summary>The serializers to list, including those that are known to fail here, which the list shows.</summary>
    /// <returns>Available serializers, and those that the build left out.</returns>
    /// <exception cref="ArgumentException">A filter matches none of either.</exception>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) ToList(
        SuiteOptions options,
        Action<string> warning
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(warning);
        var all = SerializerRegistry.For(options.Data, options.Plugins, warning);
        return options.Data.Length > 0 ? Usable(options, all, Adapters.LeftOut, warning) : Chosen(options, all, Adapters.LeftOut);
    }

    private static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Usable(
        SuiteOptions options,
        IReadOnlyList<SerializerDescription> all,
        IReadOnlyList<LeftOutSerializer> absent,
        Action<string> warning
    )
    {
        var (chosen, without) = Chosen(options, all, absent);
        var serializers = new List<SerializerDescription>();
        var leftOut = new List<LeftOutSerializer>();
        foreach (var serializer in chosen)
        {
            if (WhyNot(serializer, options) is { } reason)
                leftOut.Add(new LeftOutSerializer(serializer.Name, reason));
            else
                serializers.Add(serializer);
        }

        // Mentions a missing package only when the user chose the serializer by name.
        foreach (var serializer in options.Serializers.Count > 0 ? leftOut.Concat(without) : leftOut)
            warning($"{serializer.Name} left out: {serializer.Reason}");
        return (serializers, [.. leftOut, .. without]);
    }

    /// <summary>The serializers that match the filters. A filter may match only serializers that the build left out.</summary>
    private static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Chosen(
        SuiteOptions options,
        IReadOnlyList<SerializerDescription> all,
        IReadOnlyList<LeftOutSerializer> absent
    )
    {
        var filters = options.Serializers;
        _ = SerializerRegistry.Select(all, [.. filters.Where(filter => !absent.Any(serializer => filter.Matches(serializer.Name)))]);
        return ([.. all.Where(serializer => IsChosen(serializer.Name))], [.. absent.Where(serializer => IsChosen(serializer.Name))]);

        bool IsChosen(string name) => filters.Count == 0 || filters.Any(filter => filter.Matches(name));
    }

    /// <summary>Why a serializer cannot do what the options request, if known before measuring; null when it can or when unknown.</summary>
    private static string? WhyNot(SerializerDescription serializer, SuiteOptions options)
    {
        if (serializer.KnownFailure.Length > 0)
            return serializer.KnownFailure;
        if (
            serializer.OneThreadBecause.Length > 0
            && options.Threads.Any(threads => threads > 1)
            && options.Tests.Any(test => test != SuiteTest.FirstCall)
        )
            return $"{SuiteOptionSet.ThreadsName} requests several threads, but it supports only one: {serializer.OneThreadBecause}";

        // All serializers should support the suite's own data, so a failure there is an error of a run. Other data may be too much for
        // some, and NativeAOT for those that emit code.
        return options.Data.Length > 0 || SuiteRuntime.IsNativeAot
            ? TrialProcess.WhyUnavailable(serializer, ChildProcess.OfThisExecutable(s_trialLimit))
            : null;
    }

    private static List<SerializerDescription> WithReferences(IReadOnlyList<SerializerDescription> serializers, Action<string> warning)
    {
        var without = serializers.Where(serializer => !serializer.TracksReferences).Select(serializer => serializer.Name).ToList();
        if (without.Count > 0)
            warning(
                $"{SuiteOptionSet.ReferenceTrackingName}: {string.Join(", ", without)} {(without.Count == 1 ? "has no such option and runs" : "have no such option and run")} as always"
            );
        var settings = new SerializerSettings { ReferenceTracking = true };
        return [.. serializers.Select(serializer => serializer.TracksReferences ? serializer with { Settings = settings } : serializer)];
    }
}
