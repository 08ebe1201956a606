using System.Globalization;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Online processors; more than this process may use if it is confined to some.</summary>
internal static class OnlineCpus
{
    /// <summary>Reads their numbers.</summary>
    public static IReadOnlyList<int> Read()
    {
        try
        {
            return Parse(File.ReadAllText("/sys/devices/system/cpu/online"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or FormatException)
        {
            return [.. Enumerable.Range(0, Environment.ProcessorCount)];
        }
    }

    /// <summary>Parses the kernel's list format, <c>0-3,8</c>.</summary>
    /// <exception cref="FormatException">The text is not such a list.</exception>
    public static IReadOnlyList<int> Parse(string list)
    {
        var numbers = new List<int>();
        foreach (var part in list.Trim().Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            var ends = part.Split('-');
            var first = int.Parse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture);
            var last = int.Parse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture);
            numbers.AddRange(Enumerable.Range(first, last - first + 1));
        }

        return numbers;
    }
}
