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
    /// <returns>Those that take part, and those of the selection that do not, also those that the suite was built without.</returns>
    /// <exception cref="ArgumentException">A filter chooses none, or none of the selection can take part; the message has the reasons.</exception>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Of(SuiteOptions options, Action<string> warning)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Of(options, SerializerRegistry.For(options.Data, options.Plugins, warning), Adapters.LeftOut, warning);
    }

    /// <summary>The same from serializers that are known.</summary>
    /// <param name="options">What is asked for.</param>
    /// <param name="all">The serializers that there are.</param>
    /// <param name="absent">Those that the suite was built without.</param>
    /// <param name="warning">Told of what is left out.</param>
    /// <exception cref="ArgumentException">As above.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Of(
        SuiteOptions options, IReadOnlyList<SerializerDescription> all, IReadOnlyList<LeftOutSerializer> absent, Action<string> warning)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(all);
        ArgumentNullException.ThrowIfNull(absent);
        ArgumentNullException.ThrowIfNull(warning);
        var (serializers, leftOut) = Usable(options, all, absent, warning);
        if (serializers.Count == 0 && options.Scenario.Length == 0)
            throw new ArgumentException($"none of the serializers that {SuiteOptionSet.SerializerName} chooses can run here: {string.Join("; ", leftOut.Select(serializer => $"{serializer.Name}: {serializer.Reason}"))}");
        return (options.ReferenceTracking ? WithReferences(serializers, warning) : serializers, leftOut);
    }

    /// <summary>One serializer that another process has chosen; loads nothing of others.</summary>
    /// <param name="options">What is asked for.</param>
    /// <param name="name">Its name.</param>
    /// <param name="pluginPath">Path of the plugin that has it; empty for a built-in one.</param>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) One(SuiteOptions options, string name, string pluginPath)
    {
        ArgumentNullException.ThrowIfNull(options);
        return ([new SerializerOrigin(pluginPath, options.Data, options.ReferenceTracking).Find(name)], []);
    }

    /// <summary>The serializers to list: also those that are known to fail here, which the list says.</summary>
    /// <returns>Those that there are, and those that the suite was built without.</returns>
    /// <exception cref="ArgumentException">A filter chooses none of either.</exception>
    /// <exception cref="PluginException">The user's data or plugin cannot be used.</exception>
    public static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) ToList(SuiteOptions options, Action<string> warning)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(warning);
        var all = SerializerRegistry.For(options.Data, options.Plugins, warning);
        return options.Data.Length > 0 ? Usable(options, all, Adapters.LeftOut, warning) : Chosen(options, all, Adapters.LeftOut);
    }

    private static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Usable(
        SuiteOptions options, IReadOnlyList<SerializerDescription> all, IReadOnlyList<LeftOutSerializer> absent, Action<string> warning)
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

        // That a package is not there is news only to those who ask for it by name.
        foreach (var serializer in options.Serializers.Count > 0 ? leftOut.Concat(without) : leftOut)
            warning($"{serializer.Name} left out: {serializer.Reason}");
        return (serializers, [.. leftOut, .. without]);
    }

    /// <summary>What the filters choose. A filter may choose only what is absent.</summary>
    private static (IReadOnlyList<SerializerDescription> Serializers, IReadOnlyList<LeftOutSerializer> LeftOut) Chosen(
        SuiteOptions options, IReadOnlyList<SerializerDescription> all, IReadOnlyList<LeftOutSerializer> absent)
    {
        var filters = options.Serializers;
        _ = SerializerRegistry.Select(all, [.. filters.Where(filter => !absent.Any(serializer => filter.Matches(serializer.Name)))]);
        return ([.. all.Where(serializer => IsChosen(serializer.Name))], [.. absent.Where(serializer => IsChosen(serializer.Name))]);

        bool IsChosen(string name) => filters.Count == 0 || filters.Any(filter => filter.Matches(name));
    }

    /// <summary>Why a serializer cannot do what is asked for, known before it is measured; null when it can or nobody knows.</summary>
    private static string? WhyNot(SerializerDescription serializer, SuiteOptions options)
    {
        if (serializer.KnownFailure.Length > 0)
            return serializer.KnownFailure;
        if (serializer.OneThreadBecause.Length > 0 && options.Threads.Any(threads => threads > 1) && options.Tests.Any(test => test != SuiteTest.FirstCall))
            return $"{SuiteOptionSet.ThreadsName} asks for several threads, and it serves one: {serializer.OneThreadBecause}";

        // The suite's own data is made for all serializers: who fails there is an error of a run. Other data may ask too much of some.
        return options.Data.Length > 0 ? TrialProcess.WhyUnavailable(serializer, ChildProcess.OfThisExecutable(s_trialLimit)) : null;
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
