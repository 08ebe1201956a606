using System.Text.Json;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>The environment of the suite's runs, which the suite writes next to the run CSV.</summary>
/// <param name="Lines">The environment as lines of text.</param>
/// <param name="Fields">The file's object.</param>
public sealed record RunEnvironment(IReadOnlyList<string> Lines, JsonElement Fields)
{
    /// <summary>Name of the file in a recording's folder.</summary>
    public const string FileName = "environment.json";

    /// <summary>Reads the file.</summary>
    /// <returns>Null when there is none.</returns>
    /// <exception cref="TraceFormatException">It is not in the suite's format.</exception>
    public static RunEnvironment? Read(string folder)
    {
        var path = Path.Combine(folder, FileName);
        return File.Exists(path) ? Parse(File.ReadAllBytes(path), path) : null;
    }

    /// <summary>Reads the file's content.</summary>
    /// <param name="json">The content, UTF-8.</param>
    /// <param name="path">Where it was kept.</param>
    /// <exception cref="TraceFormatException">It is not in the suite's format.</exception>
    public static RunEnvironment Parse(ReadOnlyMemory<byte> json, string path)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            var root = document.RootElement;
            return
                root.ValueKind == JsonValueKind.Object
                && root.TryGetProperty("lines", out var lines)
                && lines.ValueKind == JsonValueKind.Array
                ? new RunEnvironment([.. lines.EnumerateArray().Select(line => line.ToString())], root.Clone())
                : throw new TraceFormatException(
                    path,
                    null,
                    "an object with the array 'lines'",
                    "esp-workload did not write this file",
                    "delete it: the tables do not need it"
                );
        }
        catch (JsonException exception)
        {
            throw new TraceFormatException(
                path,
                null,
                "a JSON object",
                $"line {exception.LineNumber + 1}, byte {exception.BytePositionInLine}: {exception.Message.TrimEnd('.')}",
                "copy the file again, or record again",
                exception
            );
        }
    }
}
