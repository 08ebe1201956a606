using System.Globalization;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes a line a stack: frames from the outermost to the leaf with semicolons between them, a blank, the number of samples. The first two frames are the runs' serializer and test, so that one
/// picture has them all. The format knows no metadata.
/// </summary>
internal static class CollapsedWriter
{
    public static void Write(ProfileDocument document, Stream stream)
    {
        var profile = document.Profile;
        using var writer = new StreamWriter(stream, leaveOpen: true) { NewLine = "\n" };
        string[] names = [.. profile.Stacks.Frames.Select(frame => Escape(frame.Name))];
        var frames = new List<int>();
        foreach (var sum in profile.Sums.GroupBy(sum => (sum.Group, sum.Stack)))
        {
            var group = profile.Groups[sum.Key.Group];
            writer.Write(Escape(group.Runs.Serializer));
            writer.Write(';');
            writer.Write(Escape(Rest(group)));
            profile.Stacks.Walk(sum.Key.Stack, frames);
            foreach (var frame in frames)
            {
                writer.Write(';');
                writer.Write(names[frame]);
            }

            writer.Write(' ');
            writer.WriteLine(sum.Sum(item => item.Samples).ToString(CultureInfo.InvariantCulture));
        }
    }

    /// <summary>What the title says behind the serializer.</summary>
    private static string Rest(ProfileGroup group) => group.Title.Length > group.Runs.Serializer.Length ? group.Title[(group.Runs.Serializer.Length + 1)..] : group.Title;

    /// <summary>A semicolon ends a frame, a line's end the stack.</summary>
    private static string Escape(string name) => string.Create(name.Length, name, static (span, text) =>
    {
        for (var i = 0; i < span.Length; i++)
            span[i] = text[i] == ';' ? ',' : char.IsControl(text[i]) ? ' ' : text[i];
    });
}
