using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary><c>-list</c>: the table of serializers.</summary>
public static class ListCommand
{
    private static readonly string[] s_header = ["Name", "Library", "Version", "Format", "Available"];

    /// <summary>Writes the table, after trying every serializer with one object.</summary>
    public static void Run(IReadOnlyList<SerializerDescription> serializers, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(output);
        var rows = serializers.Select(Row).Prepend(s_header).ToArray();
        var widths = Enumerable.Range(0, s_header.Length).Select(column => rows.Max(row => row[column].Length)).ToArray();
        foreach (var row in rows)
            output.WriteLine(string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd());
    }

    private static string[] Row(SerializerDescription serializer)
    {
        var format = serializer.Format.ToString().ToLowerInvariant();
        try
        {
            return [serializer.Name, serializer.Library, serializer.LibraryVersion, format, serializer.WhyUnavailable() is { } reason ? $"no: {reason}" : "yes"];
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException)
        {
            return [serializer.Name, "-", "-", format, $"no: {FirstLine.Of(exception)}"];
        }
    }
}
