using System.Diagnostics.CodeAnalysis;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.Symbols.Instructions;

/// <summary>
/// The bytes of a process's code, from the jitdump beside its trace (<c>esp-record --code</c> writes it). Code has bytes only when the dump
/// has a record of the same address, size and method.
/// </summary>
public sealed class RecordedCode
{
    /// <summary>ELF numbers of machines.</summary>
    private const uint X64 = 62;

    private const long NanosecondsPerSecond = 1_000_000_000;

    private readonly JitDump? _dump;

    /// <summary>Whether the dump's times are those of the trace.</summary>
    private readonly bool _hasTimes;
    private readonly ILookup<ulong, JitCode> _codes;

    private RecordedCode(JitDump? dump, bool hasTimes, string problem)
    {
        (_dump, _hasTimes, Problem) = (dump, hasTimes, problem);
        _codes = (dump?.Codes ?? []).Where(code => code.BytesAt > 0).ToLookup(code => code.Start);
    }

    /// <summary>Whether there is a dump.</summary>
    public bool IsRecorded => _dump is not null;

    /// <summary>Path of the dump; null when there is none.</summary>
    public string? Path => _dump?.Path;

    /// <summary>Whether the dump's code is for a processor other than x64.</summary>
    public bool IsOfOtherProcessor => _dump is { Machine: not X64 };

    /// <summary>Why the dump or a part of it is unusable; empty when it is usable.</summary>
    public string Problem { get; }

    /// <summary>Opens the dump of a process.</summary>
    /// <param name="process">The process.</param>
    public static RecordedCode Of(TracedProcess process)
    {
        ArgumentNullException.ThrowIfNull(process);
        var folders = process
            .Sources.Select(source => System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(source.Name)))
            .OfType<string>()
            .Distinct();
        var path = folders
            .Select(folder => System.IO.Path.Combine(folder, JitDump.FileNameOf(process.ProcessId)))
            .FirstOrDefault(File.Exists);
        return path is null ? new RecordedCode(null, false, "") : Open(path, process.Sources[0].Clock);
    }

    private static RecordedCode Open(string path, TraceClock clock)
    {
        try
        {
            var dump = JitDump.Read(path);
            return new RecordedCode(
                dump,
                dump.HasSystemTimes && clock.TicksPerSecond == NanosecondsPerSecond,
                dump.Damage is { } damage ? $"{damage}; code compiled later has no bytes" : ""
            );
        }
        catch (TraceFormatException exception)
        {
            return new RecordedCode(null, false, exception.Message);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new RecordedCode(null, false, SystemProblem.Of(exception, path, "make it readable").ToString());
        }
    }

    /// <summary>Finds the bytes of a piece of code.</summary>
    /// <param name="code">The code.</param>
    /// <param name="bytes">Its bytes, as many as it has.</param>
    /// <returns>False when the dump does not have them, or has several that could be them.</returns>
    public bool TryFind(in MethodCode code, [NotNullWhen(true)] out byte[]? bytes)
    {
        bytes = null;
        if (_dump is null)
            return false;
        var (size, name, time) = (code.Size, code.Name, code.At.Time);
        var found = _codes[code.Start]
            .Where(record => record.Size == size && DotNetMapName.Parse(record.Name)?.Name == name)
            .Select(record => (record.Time, Bytes: Read(record)))
            .Where(record => record.Bytes is not null)
            .ToList();
        if (found.Count == 0)
            return false;

        // Freed memory is reused. Code from before the trace began has no time.
        var isSame = found.TrueForAll(record => record.Bytes.AsSpan().SequenceEqual(found[0].Bytes));
        if (!isSame && (code.IsRundown || !_hasTimes))
            return false;
        bytes = isSame ? found[0].Bytes! : found.MinBy(record => Math.Abs(record.Time - time)).Bytes!;
        return true;
    }

    private byte[]? Read(in JitCode record)
    {
        try
        {
            using var file = File.OpenHandle(_dump!.Path);
            var bytes = new byte[record.Size];
            return RandomAccess.Read(file, bytes, record.BytesAt) == bytes.Length ? bytes : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
