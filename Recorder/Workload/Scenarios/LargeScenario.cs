using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>large</c>: the limits of 2 GB and of 13.2 million objects, each in a process with a memory limit.</summary>
/// <param name="objects">Number of objects in the cases with many objects.</param>
/// <param name="valueBytes">Bytes of the single value; more than System.Text.Json supported before .NET 10.</param>
/// <param name="cases">The cases to run; all when null.</param>
/// <param name="seconds">Time limit of all cases; a single one may take two thirds of it.</param>
/// <param name="available">Available memory in bytes; that of the machine when null.</param>
public sealed class LargeScenario(
    int objects = LargeScenario.ObjectsBeyond,
    int valueBytes = LargeScenario.ValueBytes,
    IReadOnlyList<string>? cases = null,
    int seconds = LargeScenario.DefaultSeconds,
    long? available = null
) : Scenario
{
    /// <summary>More than .NET Framework's last prime allows: slightly more than twice 6,584,983.</summary>
    public const int ObjectsBeyond = 13_200_000;

    /// <summary>Default time of all cases.</summary>
    public const int DefaultSeconds = 115;

    private const int ValueBytes = 130_000_000;

    private const long Megabyte = 1_000_000;

    /// <summary>Share of the free memory that a case may use; the rest is for other programs.</summary>
    private const double MaxShareOfMemory = 0.5;

    /// <summary>Factor on the memory of a case, for the runtime itself.</summary>
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
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"{bytes / Megabyte:N0} MB of memory are available; cases that need more than half of it are left out. One byte[]: {Plural.Of(valueBytes, "byte", "N0")}."
                )
                : "The available memory is unknown: every case is tried."
        );
        var table = new ScenarioTable(context.Output, ("Case", 36), ("Outcome", 9), ("Detail", 0));
        var time = Stopwatch.StartNew();
        foreach (var name in cases ?? AllCases())
        {
            var goesOn = context.Row(
                table,
                name,
                () =>
                {
                    var row = Try(context, name, free, time.Elapsed);
                    rows.Add(row);
                    table.Write(
                        row.Case,
                        row.Outcome == LargeOutcome.LeftOut ? "left out" : row.Outcome.ToString().ToLowerInvariant(),
                        row.Detail
                    );
                }
            );
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

    /// <summary>
    /// Decides from BinaryFormatter's objects, or from its table if the objects were not written completely. Lists the other limits, too.
    /// </summary>
    public static Finding Find(IReadOnlyList<LargeRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var others = string.Join(
            "; ",
            rows.Where(row => !IsDeciding(row) && row.Outcome is LargeOutcome.Refused or LargeOutcome.Crashed)
                .Select(row => $"{row.Case}: {row.Detail.TrimEnd('.')}")
        );
        var limits = others.Length > 0 ? $" Other limits reached: {others}." : "";
        var deciding = rows.Where(row => IsDeciding(row) && row.Outcome is LargeOutcome.Ok or LargeOutcome.Refused)
            .OrderBy(row => row.Case == LargeCases.ManyObjects ? 0 : 1)
            .FirstOrDefault();
        if (deciding is null)
            return Finding.Undecided(
                $"no case reached more than 13.2 million objects: {string.Join("; ", rows.Where(IsDeciding).Select(row => $"{row.Case}: {row.Detail}"))}.{limits}"
            );
        return Finding.Of(
            deciding.Outcome == LargeOutcome.Refused,
            $"{deciding.Case}: {(deciding.Outcome == LargeOutcome.Ok ? "accepted" : "refused")} more than 13.2 million, {deciding.Detail} (the case is present when they are refused).{limits}"
        );
    }

    private static bool IsDeciding(LargeRow row) => row.Case is LargeCases.ManyObjects or LargeCases.ManyIdentities;

    private static IEnumerable<string> AllCases() =>
        [
            LargeCases.LargestArray,
            LargeCases.LargestText,
            LargeCases.ManyIdentities,
            LargeCases.IntoMemory,
            LargeCases.IntoStream,
            .. SerializerRegistry.All.Select(serializer => LargeCases.OneValue + serializer.Name),
            LargeCases.ManyObjects,
        ];

    /// <summary>Memory of a case in bytes, measured on .NET 10 and rounded up.</summary>
    private long Needed(string name) =>
        name switch
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
        if (free is { } bytes && limit > bytes * MaxShareOfMemory)
            return new LargeRow(
                name,
                LargeOutcome.LeftOut,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"it needs {limit / Megabyte:N0} MB, more than half of the available {bytes / Megabyte:N0} MB"
                )
            );
        var caseLimit = TimeSpan.FromTicks(Math.Min(_total.Ticks * 2 / 3, (_total - elapsed).Ticks));
        if (caseLimit < TimeSpan.FromSeconds(1))
            return new LargeRow(
                name,
                LargeOutcome.LeftOut,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"the cases before took {elapsed.TotalSeconds:N0} of {_total.TotalSeconds:N0} s: increase -seconds"
                )
            );
        var size = name is LargeCases.ManyObjects or LargeCases.ManyIdentities ? objects : valueBytes;
        var result = context.RunProcess(
            this,
            [name, size.ToString(CultureInfo.InvariantCulture)],
            caseLimit,
            ScenarioContext.MemoryLimit(limit)
        );
        return Read(name, result, caseLimit);
    }

    /// <summary>Determines the result of a case from the result of its process.</summary>
    /// <param name="name">The case.</param>
    /// <param name="result">Result of its process.</param>
    /// <param name="limit">Its time limit.</param>
    public static LargeRow Read(string name, ChildResult result, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result switch
        {
            { ExitCode: 0 } => new LargeRow(name, LargeOutcome.Ok, FirstLine.Of(result.Output)),
            { ExitCode: 1 } => new LargeRow(name, LargeOutcome.Refused, FirstLine.Of(result.Error)),
            { ExitCode: { } code } => new LargeRow(
                name,
                LargeOutcome.Crashed,
                string.Create(CultureInfo.InvariantCulture, $"{FirstLine.Of(result.Error)} (exit code {code})")
            ),
            _ => new LargeRow(
                name,
                LargeOutcome.Crashed,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"it did not end within {limit.TotalSeconds:N0} s and was killed: increase -seconds"
                )
            ),
        };
    }
}

/// <summary>Result at one limit.</summary>
/// <param name="Case">The case.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Detail">Sizes and time, or the exception.</param>
public sealed record LargeRow(string Case, LargeOutcome Outcome, string Detail);

/// <summary>How an attempt at a limit ended.</summary>
public enum LargeOutcome
{
    /// <summary>No limit at that size.</summary>
    Ok = 0,

    /// <summary>An exception that a program can catch.</summary>
    Refused = 1,

    /// <summary>The process crashed or hung.</summary>
    Crashed = 2,

    /// <summary>Not tried, because memory or time was not sufficient.</summary>
    LeftOut = 3,
}
