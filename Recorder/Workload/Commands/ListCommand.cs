using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>
/// <c>-list</c>: writes a line per serializer with name, library, version, format and whether it is available, separated by tabs;
/// esp-record makes a table from it.
/// </summary>
public static class ListCommand
{
    /// <summary>Tries every serializer with one object and writes the lines.</summary>
    /// <param name="serializers">The available serializers.</param>
    /// <param name="leftOut">Serializers that the build left out; they follow the others.</param>
    /// <param name="output">Receives the lines.</param>
    public static void Run(IReadOnlyList<SerializerDescription> serializers, IEnumerable<LeftOutSerializer> leftOut, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(leftOut);
        ArgumentNullException.ThrowIfNull(output);
        foreach (var row in serializers.Select(Row))
            output.WriteLine(string.Join("\t", row));
        foreach (var adapter in leftOut)
            output.WriteLine($"{adapter.Name}\t-\t-\t-\tno: {adapter.Reason}");
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
