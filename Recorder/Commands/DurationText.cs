using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Parses a duration: a number of seconds, or days, hours, minutes and seconds as dotnet-trace writes them.</summary>
internal static class DurationText
{
    private static readonly TimeSpan s_max = TimeSpan.FromSeconds(1e6);

    /// <summary>Creates the option <c>--duration</c>.</summary>
    /// <param name="otherwise">What else ends the recording.</param>
    public static Option<TimeSpan?> Option(string otherwise) =>
        new("--duration")
        {
            Description = $"Maximum duration: seconds, or dd:hh:mm:ss. Without it, the recording ends at {otherwise}.",
            HelpName = "SECONDS|dd:hh:mm:ss",
            CustomParser = Parse,
        };

    private static TimeSpan? Parse(ArgumentResult result)
    {
        var text = result.Tokens[0].Value;
        if (TryParse(text) is not { } duration)
            result.AddError($"'{text}' is not a duration", "write seconds, such as 30, or dd:hh:mm:ss, such as 00:00:00:30");
        else if (duration <= TimeSpan.Zero || duration > s_max)
            result.AddError($"nothing can be recorded for '{text}'", "choose more than 0 and at most 1000000 seconds");
        else
            return duration;
        return null;
    }

    /// <summary>Parses a duration; null when the text is not one.</summary>
    public static TimeSpan? TryParse(string text)
    {
        if (double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds))
            return seconds <= TimeSpan.MaxValue.TotalSeconds / 2 ? TimeSpan.FromSeconds(seconds) : null;
        int[] max = [int.MaxValue / 100_000, 23, 59, 59];
        var parts = text.Split(':');
        if (parts.Length != max.Length)
            return null;
        var numbers = new int[max.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            if (!int.TryParse(parts[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]) || numbers[i] > max[i])
                return null;
        }

        return new TimeSpan(numbers[0], numbers[1], numbers[2], numbers[3]);
    }
}
