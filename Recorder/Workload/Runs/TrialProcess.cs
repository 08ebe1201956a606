using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Tries a serializer with one object in a separate process, so that the trial has no effect on the measurement.</summary>
public static class TrialProcess
{
    /// <summary>First argument of such a process; not for users.</summary>
    private const string Verb = "trial-process";

    /// <summary>Without a diagnostic port the recorder, which follows every process of the suite, leaves the trial out.</summary>
    private static readonly Dictionary<string, string> s_unrecorded = new() { ["DOTNET_EnableDiagnostics"] = "0" };

    /// <summary>Tries a serializer.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="processes">Starts the process.</param>
    /// <returns>Why it cannot be used; null when it can.</returns>
    public static string? WhyUnavailable(SerializerDescription serializer, ChildProcess processes)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(processes);
        try
        {
            var (exitCode, output, error) = processes.Run(
                [Verb, serializer.Name, serializer.PluginPath, serializer.DataSpec],
                environment: s_unrecorded
            );
            if (exitCode != 0)
                return FormattableString.Invariant($"its process ended with exit code {exitCode}: {FirstLine.Of(error)}");
            return FirstLine.Of(output) is { Length: > 0 } reason ? reason : null;
        }
        catch (RunFailedException exception)
        {
            return exception.Message;
        }
    }

    /// <summary>Runs the trial if the arguments request it: writes why the serializer cannot be used, nothing when it can.</summary>
    /// <returns>False when the arguments are a user's.</returns>
    public static bool Run(IReadOnlyList<string> args, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(output);
        if (args.Count != 4 || args[0] != Verb)
            return false;
        output.WriteLine(SerializerRegistry.Find(args[1], args[2], args[3]).WhyUnavailable() ?? "");
        return true;
    }
}
