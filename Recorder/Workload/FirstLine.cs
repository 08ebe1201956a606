namespace EtwSerializerProfiler.Workload;

/// <summary>Errors in one line, for tables and standard error.</summary>
public static class FirstLine
{
    /// <summary>The first line of <paramref name="text"/>.</summary>
    public static string Of(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.AsSpan().Trim().IndexOfAny('\r', '\n') is var end and >= 0 ? text.Trim()[..end] : text.Trim();
    }

    /// <summary>Type and first line of the message of <paramref name="exception"/>.</summary>
    public static string Of(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return Of($"{exception.GetType().FullName}: {exception.Message}");
    }

    /// <summary>The same with the first line of the innermost exception, which often is the reason.</summary>
    public static string WithReason(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return exception.InnerException is null ? Of(exception) : $"{Of(exception)} ({Of(exception.GetBaseException().Message)})";
    }
}
