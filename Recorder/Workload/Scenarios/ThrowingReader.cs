using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Scenarios;

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
