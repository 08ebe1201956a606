using System.Globalization;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Results;

/// <summary>Writes the serializers' output to files for inspection.</summary>
public static class KeptData
{
    /// <summary>Writes a file for every serializer and object count of <paramref name="plan"/>; replaces existing files.</summary>
    /// <param name="plan">The plan of the runs.</param>
    /// <param name="folder">Folder of the files; created if missing.</param>
    /// <param name="console">Receives the folder and failures.</param>
    /// <param name="stop">Requests to end after the current file.</param>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public static void Write(RunPlan plan, string folder, SuiteConsole console, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(console);
        Directory.CreateDirectory(folder);
        var files = 0;
        foreach (
            var series in plan
                .Series.Where(series => series.Runs > 0 && series.ObjectCount > 0)
                .DistinctBy(series => (series.Serializer, series.ObjectCount))
        )
        {
            if (stop.IsCancellationRequested)
                break;
            byte[] bytes;
            try
            {
                using var data = new MemoryStream(); // not the file itself, so that a failing serializer keeps the old file
                series
                    .Serializer.Construct()
                    .Serialize(data, series.Serializer.CreateModel().Create(series.ObjectCount, series.PayloadBytes));
                bytes = data.ToArray();
            }
#pragma warning disable CA1031 // any exception of a serializer is the result
            catch (Exception exception)
#pragma warning restore CA1031
            {
                console.Error(series, $"its data was not kept: {FirstLine.Of(exception)}", skippedRuns: 0);
                continue;
            }

            File.WriteAllBytes(Path.Combine(folder, FileName(series.Serializer, series.ObjectCount, series.PayloadBytes)), bytes);
            files++;
        }

        console.Note($"serialized data kept in {Path.GetFullPath(folder)}: {Plural.Of(files, "file")}");
    }

    /// <summary>
    /// Name of a serializer's file: its name, the object count, and the payload if any; invalid characters become underscores.
    /// </summary>
    public static string FileName(SerializerDescription serializer, int objectCount, int payloadBytes)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        var safe = new string([
            .. serializer.Name.Select(character => char.IsLetterOrDigit(character) || character is '.' or '-' or '+' ? character : '_'),
        ]);
        var payload = payloadBytes > 0 ? "-" + payloadBytes.ToString(CultureInfo.InvariantCulture) : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{safe}-{objectCount}{payload}.{(serializer.Format == DataFormat.Text ? "txt" : "bin")}"
        );
    }
}
