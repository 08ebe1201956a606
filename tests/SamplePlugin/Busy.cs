using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using EtwSerializerProfiler.Contract;

/// <summary>
/// System.Text.Json that gets slower on demand: with ESP_SAMPLE_BUSY_PERCENT=5 it is busy for another 5 % of the time after each operation, in a method of its own, without allocating. A known
/// slowdown with a known cause: what a comparison of two recordings has to find.
/// </summary>
[SuiteSerializer("Busy", DataFormat.Text, Library = "System.Text.Json")]
public sealed class Busy<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    /// <summary>Names the variable of the percentage; without it this is System.Text.Json and nothing else.</summary>
    public const string Variable = "ESP_SAMPLE_BUSY_PERCENT";

    private readonly JsonSerializerOptions _options = new();
    private readonly double _share = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } text ? Share(text) : 0;

    /// <summary>Takes what the work gives, so that no compiler leaves it out.</summary>
    private ulong _result;

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        var start = Stopwatch.GetTimestamp();
        JsonSerializer.Serialize(stream, graph, _options);
        if (_share > 0)
            Volatile.Write(ref _result, BusyWork(Stopwatch.GetTimestamp() - start, _share));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        var start = Stopwatch.GetTimestamp();
        var graph = JsonSerializer.Deserialize<TGraph>(stream, _options);
        if (_share > 0)
            Volatile.Write(ref _result, BusyWork(Stopwatch.GetTimestamp() - start, _share));
        return graph;
    }

    /// <summary>Arithmetic for a share of some ticks, within a third of a microsecond.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong BusyWork(long ticks, double share)
    {
        var end = Stopwatch.GetTimestamp() + (long)(ticks * share);
        var number = (ulong)end;
        while (Stopwatch.GetTimestamp() < end)
        {
            for (var step = 0; step < 200; step++)
                number = (number ^ (number >> 29)) * 0xBF58476D1CE4E5B9;
        }

        return number;
    }

    private static double Share(string text) => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
        ? percent / 100
        : throw new FormatException($"{Variable}: '{text}' is no number of percent.");
}
