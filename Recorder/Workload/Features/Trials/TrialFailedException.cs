namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>A serializer threw while a feature was tried; the inner exception is its own.</summary>
/// <param name="step">What it was asked to do: <c>on writing</c>.</param>
/// <param name="inner">What it threw.</param>
public sealed class TrialFailedException(string step, Exception inner) : Exception($"{step}: {Text(inner)}", inner)
{
    /// <summary>Type and first line of an exception, and of the innermost one: the outer message of some serializers says only that there was an error.</summary>
    public static string Text(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        var innermost = exception.GetBaseException();
        return innermost == exception || exception.Message.Contains(FirstLine.Of(innermost.Message), StringComparison.Ordinal) ? Line(exception) : $"{Line(exception)} ({Line(innermost)})";
    }

    private static string Line(Exception exception) => $"{exception.GetType().Name}: {FirstLine.Of(exception.Message)}";
}
