using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload;

/// <summary>Shortens errors to one line for tables and standard error.</summary>
public static class FirstLine
{
    /// <summary>The first line of <paramref name="text"/>.</summary>
    public static string Of(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.AsSpan().Trim().IndexOfAny('\r', '\n') is var end and >= 0 ? text.Trim()[..end] : text.Trim();
    }

    /// <summary>Type and first line of the message of <paramref name="exception"/> and of its inner exceptions.</summary>
    public static string Of(Exception exception) => Of(RunError.Of(exception));
}
