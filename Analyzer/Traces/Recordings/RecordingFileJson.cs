using System.Text.Encodings.Web;
using System.Text.Json;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>How the JSON files of recordings are written.</summary>
internal static class RecordingFileJson
{
    /// <summary>The contract; apostrophes and angle brackets of command lines stay readable: the files are never embedded in HTML.</summary>
    public static RecordingJson Contract { get; } = new(new JsonSerializerOptions(RecordingJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
}
