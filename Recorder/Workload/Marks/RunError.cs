namespace EtwSerializerProfiler.Marks;

/// <summary>Puts what ended a run into words.</summary>
public static class RunError
{
    private const string BecauseOf = " <- ";

    /// <summary>Type and message of an exception; one with inner exceptions is followed by them, outermost first, each by the first line of its message: theirs is often the reason.</summary>
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
