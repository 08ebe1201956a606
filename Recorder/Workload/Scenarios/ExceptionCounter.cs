using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Text;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Counts exceptions that are thrown, also those that are caught. Counting makes each dearer: it is done outside of what is timed.</summary>
public sealed class ExceptionCounter : IDisposable
{
    private static readonly Lazy<bool> s_exists = new(Tell);

    private long _count;

    /// <summary>Starts to count on all threads.</summary>
    public ExceptionCounter() => AppDomain.CurrentDomain.FirstChanceException += OnThrown;

    /// <summary>Whether the runtime tells of exceptions; Mono does not.</summary>
    public static bool IsTold => s_exists.Value;

    /// <summary>Exceptions thrown so far; null where the runtime does not tell.</summary>
    public long? Count => s_exists.Value ? Interlocked.Read(ref _count) : null;

    /// <summary>Exceptions that <paramref name="operation"/> throws and catches.</summary>
    /// <returns>Null where the runtime does not tell.</returns>
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

    /// <summary>Whether the event is raised at all: Mono declares it.</summary>
    private static bool Tell()
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

/// <summary>A small serializer of values that are numbers or words, one a line; it finds out which by trying.</summary>
/// <param name="throws">Whether it tries with int.Parse and catches, or with TryParse.</param>
/// <param name="depth">Frames between the try and the throw, as a serializer of nested objects has them.</param>
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
        GC.KeepAlive(line); // keeps the frame: the call above is no tail call
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
