using System.IO.Compression;

namespace EtwSerializerProfiler.Etl.Tests;

/// <summary>
/// Real Windows traces with TraceEvent's baselines, beside the repository: ../shared/traces. Tests that need them are marked
/// (<see cref="NeedsRealTracesAttribute"/>).
/// </summary>
internal static class RealTraces
{
    private static readonly string? s_folder = Find();

    /// <summary>Whether the folder of the traces is there.</summary>
    public static bool Exist => s_folder is not null;

    /// <summary>Path of a trace; skips the test where it is absent.</summary>
    public static string Get(string name)
    {
        var path = s_folder is null ? null : Path.Combine(s_folder, name);
        Assert.SkipWhen(path is null || !File.Exists(path), $"../shared/traces/{name} is not there");
        return path!;
    }

    /// <summary>Whether a trace is there.</summary>
    public static bool Has(string name) => s_folder is not null && File.Exists(Path.Combine(s_folder, name));

    /// <summary>Counts of a baseline file: event name to count.</summary>
    public static Dictionary<string, long> Counts(string name) =>
        File.ReadLines(Get(name))
            .Where(line => line.StartsWith("COUNT ", StringComparison.Ordinal))
            .Select(line => line["COUNT ".Length..])
            .ToDictionary(
                line => line[..line.LastIndexOf(':')],
                line => long.Parse(line[(line.LastIndexOf(':') + 1)..], System.Globalization.CultureInfo.InvariantCulture)
            );

    /// <summary>The small traces, unpacked; none where they are absent.</summary>
    public static IEnumerable<byte[]> Small()
    {
        if (s_folder is null)
            yield break;
        yield return File.ReadAllBytes(Path.Combine(s_folder, "SelfDescribingSingleEvent.etl"));
        foreach (var name in (string[])["primitive-types.etl.zip", "gcevents.etl.zip"])
        {
            using var archive = ZipFile.OpenRead(Path.Combine(s_folder, name));
            using var content = archive.Entries.Single(entry => entry.Name.EndsWith(".etl", StringComparison.Ordinal)).Open();
            using var bytes = new MemoryStream();
            content.CopyTo(bytes);
            yield return bytes.ToArray();
        }
    }

    private static string? Find()
    {
        for (var folder = AppContext.BaseDirectory; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (!File.Exists(Path.Combine(folder, "EtwSerializerProfiler.sln")))
                continue;
            var traces = Path.Combine(folder, "..", "shared", "traces");
            return Directory.Exists(traces) ? Path.GetFullPath(traces) : null;
        }

        return null;
    }
}

/// <summary>Needs the real traces.</summary>
internal sealed class NeedsRealTracesAttribute : NeedAttribute
{
    /// <inheritdoc />
    public override string? Missing => RealTraces.Exist ? null : "../shared/traces is not there";
}
