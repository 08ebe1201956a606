using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Text;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>
/// Counts thrown exceptions, including caught ones. Counting makes each exception more expensive, so it happens outside of timed code.
/// </summary>
public sealed class ExceptionCounter : IDisposable
{
    private static readonly Lazy<bool> s_exists = new(Exists);

    private long _count;

    /// <summary>Starts counting on all threads.</summary>
    public ExceptionCounter() => AppDomain.CurrentDomain.FirstChanceException += OnThrown;

    /// <summary>Whether the runtime reports exceptions; Mono does not.</summary>
    public static bool IsReported => s_exists.Value;

    /// <summary>Number of exceptions so far; null when the runtime does not report them.</summary>
    public long? Count => s_exists.Value ? Interlocked.Read(ref _count) : null;

    /// <summary>Counts the exceptions during <paramref name="operation"/>.</summary>
    /// <returns>Null when the runtime does not report them.</returns>
    public static long? During(Action operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        _ = s_exists.Value;
        using var counter = new ExceptionCounter();
        operation();
        return counter.Count;
    }

    /// <summary>Ends counting.</summary>
    public void Dispose() => AppDomain.CurrentDomain.FirstChanceException -= OnThrown;

    /// <summary>Whether the event is actually raised; Mono only declares it.</summary>
    private static bool Exists()
    {
        using var probe = new ExceptionCounter();
        try
        {
            throw new InvalidOperationException();
        }
        catch (InvalidOperationException)
        {
            return Interlocked.Read(ref probe._count) > 0;
        }
    }

    private void OnThrown(object? sender, FirstChanceExceptionEventArgs thrown) => Interlocked.Increment(ref _count);
}

/// <summary>A small serializer for values that are numbers or words, one per line; it finds out by trying.</summary>
/// <param name="throws">Whether it uses int.Parse and catch, or TryParse.</param>
/// <param name="depth">Frames between try and throw, as in a serializer of nested objects.</param>
public sealed class ThrowingReader(bool throws, int depth) : TypedSerializer<List<object>>
{
    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, List<object> graph)
    {
        ArgumentNullException.ThrowIfNull(graph);
        using var writer = new StreamWriter(stream, s_utf8, bufferSize: 1024, leaveOpen: true);
        foreach (var value in graph)
            writer.WriteLine(Convert.ToString(value, CultureInfo.InvariantCulture));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override List<object>? Read(Stream stream)
    {
        using var reader = new StreamReader(stream, s_utf8, detectEncodingFromByteOrderMarks: true, bufferSize: 1024, leaveOpen: true);
        var values = new List<object>();
        while (reader.ReadLine() is { } line)
            values.Add(throws ? ParseAndCatch(line) : TryParse(line, depth));
        return values;
    }

    private object ParseAndCatch(string line)
    {
        try
        {
            return Parse(line, depth);
        }
        catch (FormatException)
        {
            return line;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object Parse(string line, int frames)
    {
        if (frames == 0)
            return int.Parse(line, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        var value = Parse(line, frames - 1);
        GC.KeepAlive(line); // keeps the frame by preventing a tail call above
        return value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object TryParse(string line, int frames)
    {
        if (frames == 0)
            return int.TryParse(line, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : line;
        var value = TryParse(line, frames - 1);
        GC.KeepAlive(line);
        return value;
    }
}
