using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Tries a serializer with one object in a process of its own, so that nothing is warm, broken or gone when it is measured.</summary>
public static class TrialProcess
{
    /// <summary>First argument of such a process; it is not a command for users.</summary>
    private const string Verb = "trial-process";

    /// <summary>Tries a serializer.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="processes">Starts the process.</param>
    /// <returns>Why it cannot be used, null when it can.</returns>
    public static string? WhyUnavailable(SerializerDescription serializer, ChildProcess processes)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(processes);
        try
        {
            var (exitCode, output, error) = processes.Run([Verb, serializer.Name, serializer.PluginPath, serializer.DataSpec]);
            if (exitCode != 0)
                return FormattableString.Invariant($"its process ended with exit code {exitCode}: {FirstLine.Of(error)}");
            return FirstLine.Of(output) is { Length: > 0 } reason ? reason : null;
        }
        catch (RunFailedException exception)
        {
            return exception.Message;
        }
    }

    /// <summary>Is such a process, if the arguments say so: writes why the serializer cannot be used, nothing when it can.</summary>
    /// <returns>False when the arguments are those of a user.</returns>
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
