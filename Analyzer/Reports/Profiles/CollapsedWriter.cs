using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Unicode;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes a line a stack: frames from the outermost to the leaf with semicolons between them, a blank, the number of samples. The first two
/// frames are the runs' serializer and test, so that one picture has them all. A stack has a line for each cause that its samples were
/// spent on; readers add them up. The format knows no metadata.
/// </summary>
internal static class CollapsedWriter
{
    private const int BufferedBytes = 1 << 16;

    public static void Write(ProfileDocument document, Stream stream)
    {
        var profile = document.Profile;
        var lines = new ArrayBufferWriter<byte>(2 * BufferedBytes);
        byte[][] names = [.. profile.Stacks.Frames.Select(frame => Escape(";" + frame.Name, from: 1))];
        byte[][] groups =
        [
            .. profile.Groups.Select(group => (byte[])[.. Escape(group.Runs.Serializer), (byte)';', .. Escape(Rest(group))]),
        ];
        Span<byte> number = stackalloc byte[32];
        var frames = new List<int>();
        foreach (var sum in profile.Sums)
        {
            lines.Write(groups[sum.Group]);
            profile.Stacks.Walk(sum.Stack, frames);
            foreach (var frame in frames)
                lines.Write(names[frame]);
            Utf8.TryWrite(number, CultureInfo.InvariantCulture, $" {sum.Samples}\n", out var length);
            lines.Write(number[..length]);
            if (lines.WrittenCount > BufferedBytes)
                Drain();
        }

        Drain();

        void Drain()
        {
            stream.Write(lines.WrittenSpan);
            lines.ResetWrittenCount();
        }
    }

    /// <summary>The title after the serializer.</summary>
    private static string Rest(ProfileGroup group) =>
        group.Title.Length > group.Runs.Serializer.Length ? group.Title[(group.Runs.Serializer.Length + 1)..] : group.Title;

    /// <summary>A text as UTF-8, without what would end the frame or the line.</summary>
    /// <param name="text">The text.</param>
    /// <param name="from">The first character that may not be a semicolon.</param>
    private static byte[] Escape(string text, int from = 0) =>
        Encoding.UTF8.GetBytes(
            text[..from]
                + string.Create(
                    text.Length - from,
                    text[from..],
                    static (span, name) =>
                    {
                        for (var i = 0; i < span.Length; i++)
                            span[i] =
                                name[i] == ';' ? ','
                                : char.IsControl(name[i]) ? ' '
                                : name[i];
                    }
                )
        );
}
