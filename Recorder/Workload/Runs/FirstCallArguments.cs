using System.Globalization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Arguments of a first-call process. They include library and version, because reading these in the process would load the library before
/// the clock starts. A plain list of values, because a command-line parser must not be loaded in a process that measures first loads.
/// </summary>
/// <param name="Identity">Names the run.</param>
/// <param name="PlannedRuns">Number of runs of the whole benchmark.</param>
/// <param name="StreamKind">Target and source of serialized data.</param>
/// <param name="DataFile">Data for a first deserialize; empty for a first serialize.</param>
/// <param name="CsvFile">Run CSV to append to; empty for none.</param>
/// <param name="Origin">Location of the serializer and its data.</param>
/// <param name="LaunchedTicks">
/// Launch time of the process in <see cref="System.Diagnostics.Stopwatch"/> ticks. It follows <see cref="ToArguments"/>, because it is read
/// last.
/// </param>
public sealed record FirstCallArguments(
    RunIdentity Identity,
    int PlannedRuns,
    StreamKind StreamKind,
    string DataFile,
    string CsvFile,
    SerializerOrigin Origin,
    long LaunchedTicks = -1
)
{
    /// <summary>First argument of a first-call process.</summary>
    public const string Verb = "first-call-process";

    private const int Count = 15;

    /// <summary>The arguments of the process without the last one, its launch time.</summary>
    public IReadOnlyList<string> ToArguments() =>
        [
            Verb,
            Identity.Serializer,
            Identity.Library,
            Identity.LibraryVersion,
            Identity.Operation,
            Text(Identity.ObjectCount),
            Text(Identity.PayloadBytes),
            Text(Identity.RunNumber),
            Text(PlannedRuns),
            Text((int)StreamKind),
            DataFile,
            CsvFile,
            Origin.PluginPath,
            Origin.DataSpec,
            Text(Origin.ReferenceTracking ? 1 : 0),
        ];

    /// <summary>Parses the arguments of a first-call process; null when <paramref name="args"/> are a user's.</summary>
    /// <exception cref="FormatException">The process was started by something other than <see cref="FirstCallRunner"/>.</exception>
    public static FirstCallArguments? Read(IReadOnlyList<string> args)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (args.Count == 0 || args[0] != Verb)
            return null;
        if (args.Count != Count + 1)
            throw new FormatException($"{Verb} takes {Count} values; it is not a command for users.");
        var identity = new RunIdentity(
            args[1],
            args[2],
            args[3],
            args[4],
            RunKind.FirstCall,
            Number(args[5]),
            Number(args[6]),
            Number(args[7]),
            ThreadCount: 1
        );
        return new FirstCallArguments(
            identity,
            Number(args[8]),
            (StreamKind)Number(args[9]),
            args[10],
            args[11],
            new SerializerOrigin(args[12], args[13], args[14] == "1"),
            long.Parse(args[15], NumberStyles.None, CultureInfo.InvariantCulture)
        );
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
