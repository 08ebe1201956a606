namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>Arguments of a trial process.</summary>
/// <param name="Subject">The serializer.</param>
/// <param name="Attempts">The attempts in order.</param>
public sealed record FeatureArguments(FeatureSubject Subject, IReadOnlyList<FeatureAttempt> Attempts)
{
    /// <summary>First argument of such a process.</summary>
    public const string Verb = "feature-process";

    private const int Leading = 3; // verb, serializer, plugin

    /// <summary>Formats the arguments.</summary>
    public IReadOnlyList<string> ToArguments() =>
        [Verb, Subject.Name, Subject.PluginPath, .. Attempts.Select(attempt => attempt.ToString())];

    /// <summary>Parses the arguments; null when <paramref name="args"/> are a user's.</summary>
    /// <exception cref="FormatException">The process was started by something other than <see cref="FeatureRunner"/>.</exception>
    public static FeatureArguments? Read(IReadOnlyList<string> args)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (args.Count == 0 || args[0] != Verb)
            return null;
        return args.Count < Leading
            ? throw new FormatException($"{Verb} takes a serializer, a plugin and features; it is not a command for users.")
            : new FeatureArguments(new FeatureSubject(args[1], args[2]), [.. args.Skip(Leading).Select(FeatureAttempt.Parse)]);
    }
}
