using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>large</c>: the limits of 2 GB and of 13.2 million objects, each in a process that may take only so much memory.</summary>
/// <param name="objects">Objects of the cases that have many.</param>
/// <param name="valueBytes">Bytes of the one value; more than System.Text.Json took before .NET 10.</param>
/// <param name="cases">Which cases; all when null.</param>
/// <param name="seconds">All cases have ended by then; a single one may take two thirds of it.</param>
/// <param name="available">Memory in bytes that the machine has; what it says itself when null.</param>
public sealed class LargeScenario(
    int objects = LargeScenario.ObjectsBeyond, int valueBytes = LargeScenario.ValueBytes, IReadOnlyList<string>? cases = null, int seconds = LargeScenario.DefaultSeconds, long? available = null) : Scenario
{
    /// <summary>More than .NET Framework's last prime allows: twice 6,584,983 and a little.</summary>
    public const int ObjectsBeyond = 13_200_000;

    /// <summary>Time of all cases when <c>-seconds</c> is not given.</summary>
    public const int DefaultSeconds = 115;

    private const int ValueBytes = 130_000_000;

    private const long Megabyte = 1_000_000;

    /// <summary>A case may take this share of what the machine has free: the rest is for the others.</summary>
    private const double MostOfMemory = 0.5;

    /// <summary>Beyond what a case needs, for the runtime itself.</summary>
    private const double MemoryReserve = 1.25;

    private readonly TimeSpan _total = TimeSpan.FromSeconds(seconds);

    /// <inheritdoc/>
    public override string Name => "large";

    /// <inheritdoc/>
    public override string PublishedCase =>
        "BinaryFormatter on .NET Framework cannot write more than 13.2 million objects (the last prime of ObjectIDGenerator's table), and no memory stream, array or string holds more than 2 GB.";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var rows = new List<LargeRow>();
        var free = available ?? AvailableMemory.Bytes();
        context.Output.WriteLine(
            free is { } bytes
                ? string.Create(CultureInfo.InvariantCulture, $"{bytes / Megabyte:N0} MB of memory are available; a case that needs more than half of that is left out. One byte[]: {Plural.Of(valueBytes, "byte", "N0")}.")
                : "How much memory is available cannot be told here: every case is tried.");
        var table = new ScenarioTable(context.Output, ("Case", 36), ("Outcome", 9), ("Detail", 0));
        var time = Stopwatch.StartNew();
        foreach (var name in cases ?? AllCases())
        {
            var goesOn = context.Row(table, name, () =>
            {
                var row = Try(context, name, free, time.Elapsed);
                rows.Add(row);
                table.Write(row.Case, row.Outcome == LargeOutcome.LeftOut ? "left out" : row.Outcome.ToString().ToLowerInvariant(), row.Detail);
            });
            if (!goesOn)
                break;
        }

        return Find(rows);
    }

    /// <inheritdoc/>
    public override void RunInProcess(ScenarioContext context, IReadOnlyList<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(arguments);
        context.Output.WriteLine(LargeCases.Run(context, arguments[0], int.Parse(arguments[1], CultureInfo.InvariantCulture)));
    }

    /// <summary>Decides by BinaryFormatter's objects, or by the table it keeps them in when these were not written to the end; the other limits are said.</summary>
    public static Finding Find(IReadOnlyList<LargeRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var others = string.Join("; ", rows.Where(row => !IsDeciding(row) && row.Outcome is LargeOutcome.Refused or LargeOutcome.Crashed).Select(row => $"{row.Case}: {row.Detail.TrimEnd('.')}"));
        var limits = others.Length > 0 ? $" Other limits met: {others}." : "";
        var deciding = rows.Where(row => IsDeciding(row) && row.Outcome is LargeOutcome.Ok or LargeOutcome.Refused).OrderBy(row => row.Case == LargeCases.ManyObjects ? 0 : 1).FirstOrDefault();
        if (deciding is null)
            return Finding.Undecided($"more than 13.2 million objects were not reached: {string.Join("; ", rows.Where(IsDeciding).Select(row => $"{row.Case}: {row.Detail}"))}.{limits}");
        return Finding.Of(
            deciding.Outcome == LargeOutcome.Refused,
            $"{deciding.Case}: {(deciding.Outcome == LargeOutcome.Ok ? "took" : "refused")} more than 13.2 million, {deciding.Detail} (it is there when it refuses).{limits}");
    }

    private static bool IsDeciding(LargeRow row) => row.Case is LargeCases.ManyObjects or LargeCases.ManyIdentities;

    private static IEnumerable<string> AllCases() =>
    [
        LargeCases.LargestArray, LargeCases.LargestText, LargeCases.ManyIdentities, LargeCases.IntoMemory, LargeCases.IntoStream,
        .. SerializerRegistry.All.Select(serializer => LargeCases.OneValue + serializer.Name), LargeCases.ManyObjects,
    ];

    /// <summary>Memory of a case in bytes, as measured on .NET 10 and rounded up.</summary>
    private long Needed(string name) => name switch
    {
        LargeCases.ManyObjects => objects * 250L,
        LargeCases.ManyIdentities => objects * 170L,
        LargeCases.IntoMemory or LargeCases.LargestArray or LargeCases.LargestText => 2_400 * Megabyte,
        LargeCases.IntoStream => 300 * Megabyte,
        _ => (valueBytes * 12L) + (100 * Megabyte),
    };

    private LargeRow Try(ScenarioContext context, string name, long? free, TimeSpan elapsed)
    {
        var limit = (long)((Needed(name) + (50 * Megabyte)) * MemoryReserve);
        if (free is { } bytes && limit > bytes * MostOfMemory)
            return new LargeRow(name, LargeOutcome.LeftOut, string.Create(CultureInfo.InvariantCulture, $"it needs {limit / Megabyte:N0} MB, of {bytes / Megabyte:N0} MB available at most half is taken"));
        var caseLimit = TimeSpan.FromTicks(Math.Min(_total.Ticks * 2 / 3, (_total - elapsed).Ticks));
        if (caseLimit < TimeSpan.FromSeconds(1))
            return new LargeRow(name, LargeOutcome.LeftOut, string.Create(CultureInfo.InvariantCulture, $"the cases before took {elapsed.TotalSeconds:N0} of {_total.TotalSeconds:N0} s: give more by -seconds"));
        var size = name is LargeCases.ManyObjects or LargeCases.ManyIdentities ? objects : valueBytes;
        var result = context.RunProcess(this, [name, size.ToString(CultureInfo.InvariantCulture)], caseLimit, ScenarioContext.MemoryLimit(limit));
        return Read(name, result, caseLimit);
    }

    /// <summary>What came of a case, by how its process ended.</summary>
    /// <param name="name">The case.</param>
    /// <param name="result">How its process ended.</param>
    /// <param name="limit">The time it had.</param>
    public static LargeRow Read(string name, ChildResult result, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result switch
        {
            { ExitCode: 0 } => new LargeRow(name, LargeOutcome.Ok, FirstLine.Of(result.Output)),
            { ExitCode: 1 } => new LargeRow(name, LargeOutcome.Refused, FirstLine.Of(result.Error)),
            { ExitCode: { } code } => new LargeRow(name, LargeOutcome.Crashed, string.Create(CultureInfo.InvariantCulture, $"{FirstLine.Of(result.Error)} (exit code {code})")),
            _ => new LargeRow(name, LargeOutcome.Crashed, string.Create(CultureInfo.InvariantCulture, $"it did not end within {limit.TotalSeconds:N0} s and was ended: give more by -seconds")),
        };
    }
}

/// <summary>What stood at one limit.</summary>
/// <param name="Case">What was tried.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Detail">Sizes and time, or the exception.</param>
public sealed record LargeRow(string Case, LargeOutcome Outcome, string Detail);

/// <summary>How an attempt at a limit ended.</summary>
public enum LargeOutcome
{
    /// <summary>There is no limit at that size.</summary>
    Ok = 0,

    /// <summary>An exception that a program can catch.</summary>
    Refused = 1,

    /// <summary>The process ended or hung.</summary>
    Crashed = 2,

    /// <summary>Not tried: the memory or the time was not there.</summary>
    LeftOut = 3,
}
