namespace EtwSerializerProfiler.Marks;

/// <summary>Formats the exception that ended a run.</summary>
public static class RunError
{
    private const string BecauseOf = " <- ";

    /// <summary>
    /// Type and message of an exception. Inner exceptions follow, outermost first, with the first line of their messages, because they
    /// often have the cause.
    /// </summary>
    public static string Of(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        if (exception.InnerException is null)
            return $"{exception.GetType().FullName}: {exception.Message}";
        var texts = new List<string>();
        for (var current = exception; current is not null; current = current.InnerException)
        {
            var text = $"{current.GetType().FullName}: {current.Message.Trim().Split('\r', '\n')[0]}";
            if (!texts.Contains(text))
                texts.Add(text);
        }

        return string.Join(BecauseOf, texts);
    }
}
