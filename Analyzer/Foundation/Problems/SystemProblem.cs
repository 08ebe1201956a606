namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>The problem behind an exception: its own where it carries one, else what is known of errors of the system.</summary>
public static class SystemProblem
{
    /// <summary>The problem behind an exception.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="where">What was being read or written, for exceptions that do not say it.</param>
    /// <param name="fix">How to fix it, for exceptions of which nothing better is known.</param>
    public static Problem Of(Exception exception, string where, string fix)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return exception switch
        {
            IProblemSource source => source.Problem,
            FileNotFoundException { FileName: { Length: > 0 } file } => new Problem("there is no such file", where.Length > 0 && file == Path.GetFullPath(where) ? where : file, "name one that exists"),
            FileNotFoundException or DirectoryNotFoundException => new Problem(Sentence(exception), where, "name a file and a folder that exist"),
            UnauthorizedAccessException when Directory.Exists(where) => new Problem("this is a folder, and a file is expected", where, "name a file, such as one in it"),
            UnauthorizedAccessException => new Problem(Sentence(exception), where, "name a file, or a folder, that this user may read and write, or change its permissions"),
            _ => new Problem(Sentence(exception), where, fix),
        };
    }

    /// <summary>The problem behind an exception of something that is written.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="where">What was to be written.</param>
    /// <param name="fix">How to fix it.</param>
    public static Problem OfWriting(Exception exception, string where, string fix)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return exception is IProblemSource source ? source.Problem : new Problem($"it cannot be written: {Sentence(exception)}", where, fix);
    }

    private static string Sentence(Exception exception) => exception.Message.TrimEnd('.', ' ');
}
