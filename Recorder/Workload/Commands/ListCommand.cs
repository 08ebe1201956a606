using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary><c>-list</c>: writes the table of serializers.</summary>
public static class ListCommand
{
    private static readonly string[] s_header = ["Name", "Library", "Version", "Format", "Available"];

    /// <summary>Tries every serializer with one object and writes the table.</summary>
    /// <param name="serializers">The available serializers.</param>
    /// <param name="leftOut">Serializers that the build left out; they follow the others.</param>
    /// <param name="output">Receives the table.</param>
    public static void Run(IReadOnlyList<SerializerDescription> serializers, IEnumerable<LeftOutSerializer> leftOut, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(leftOut);
        ArgumentNullException.ThrowIfNull(output);
        string[][] rows =
        [
            s_header,
            .. serializers.Select(Row),
            .. leftOut.Select(adapter => (string[])[adapter.Name, "-", "-", "-", $"no: {adapter.Reason}"]),
        ];
        var widths = Enumerable.Range(0, s_header.Length).Select(column => rows.Max(row => row[column].Length)).ToArray();
        foreach (var row in rows)
            output.WriteLine(string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd());
    }

    private static string[] Row(SerializerDescription serializer)
    {
        var format = serializer.Format.ToString().ToLowerInvariant();
        try
        {
            return
            [
                serializer.Name,
                serializer.Library,
                serializer.LibraryVersion,
                format,
                serializer.WhyUnavailable() is { } reason ? $"no: {reason}" : "yes",
            ];
        }
        catch (Exception exception) when (exception is PluginException or IOException or BadImageFormatException)
        {
            return [serializer.Name, "-", "-", format, $"no: {FirstLine.Of(exception)}"];
        }
    }
}
