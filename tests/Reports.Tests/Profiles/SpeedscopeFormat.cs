using System.Text.Json;

namespace EtwSerializerProfiler.Reports.Tests.Profiles;

/// <summary>
/// The rules of speedscope's file format, by its published types (src/lib/file-format-spec.ts of jlfwong/speedscope) and their comments on
/// each field; only sampled profiles. Fields that are not in the types are refused, although the published schema allows them.
/// </summary>
internal static class SpeedscopeFormat
{
    private static readonly string[] s_units = ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"];

    /// <summary>Checks a file.</summary>
    /// <returns>Its profiles: name, and stacks (outermost frame first) with their weights.</returns>
    public static IReadOnlyList<(string Name, IReadOnlyList<(string Stack, double Weight)> Samples)> Check(JsonElement file)
    {
        Only(file, "$schema", "shared", "profiles", "name?", "activeProfileIndex?", "exporter?");
        Assert.Equal("https://www.speedscope.app/file-format-schema.json", file.GetProperty("$schema").GetString());
        Only(file.GetProperty("shared"), "frames");
        var frames = file.GetProperty("shared")
            .GetProperty("frames")
            .EnumerateArray()
            .Select(frame =>
            {
                Only(frame, "name", "file?", "line?", "col?");
                return frame.GetProperty("name").GetString()!;
            })
            .ToList();
        List<(string Name, IReadOnlyList<(string Stack, double Weight)> Samples)> profiles =
        [
            .. file.GetProperty("profiles").EnumerateArray().Select(profile => Profile(profile, frames)),
        ];

        // Our rule, not the format's: it opens with the profile that took the most time.
        var times = profiles.ConvertAll(profile => profile.Samples.Sum(sample => sample.Weight));
        Assert.Equal(
            times.Count > 0 ? times.IndexOf(times.Max()) : null,
            file.TryGetProperty("activeProfileIndex", out var active) ? active.GetInt32() : (int?)null
        );
        return profiles;
    }

    private static (string Name, IReadOnlyList<(string Stack, double Weight)> Samples) Profile(JsonElement profile, List<string> frames)
    {
        Only(profile, "type", "name", "unit", "startValue", "endValue", "samples", "weights");
        Assert.Equal("sampled", profile.GetProperty("type").GetString());
        Assert.Contains(profile.GetProperty("unit").GetString(), s_units);
        var weights = profile.GetProperty("weights").EnumerateArray().Select(weight => weight.GetDouble()).ToList();
        var stacks = profile
            .GetProperty("samples")
            .EnumerateArray()
            .Select(stack => string.Join('<', stack.EnumerateArray().Select(frame => frames[frame.GetInt32()])))
            .ToList();
        Assert.Equal(stacks.Count, weights.Count);
        Assert.All(weights, weight => Assert.True(weight >= 0));
        Assert.Equal(profile.GetProperty("endValue").GetDouble(), profile.GetProperty("startValue").GetDouble() + weights.Sum());
        return (profile.GetProperty("name").GetString()!, [.. stacks.Zip(weights)]);
    }

    /// <summary>All required fields, optionally those with a question mark, and no others.</summary>
    internal static void Only(JsonElement element, params string[] fields)
    {
        var names = element.EnumerateObject().Select(field => field.Name).ToList();
        Assert.Equal(names.Distinct(), names);
        Assert.Empty(names.Except(fields.Select(field => field.TrimEnd('?'))));
        Assert.Empty(fields.Where(field => !field.EndsWith('?')).Except(names));
    }
}
