namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>Finds the problem of an exception: its own, or one derived from a system error.</summary>
public static class SystemProblem
{
    /// <summary>Returns the problem of an exception.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="where">What was being read or written, for exceptions without a location.</param>
    /// <param name="fix">Fix for exceptions without a better one.</param>
    public static Problem Of(Exception exception, string where, string fix)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return exception switch
        {
            IProblemSource source => source.Problem,
            FileNotFoundException { FileName: { Length: > 0 } file } => new Problem(
                "the file does not exist",
                where.Length > 0 && file == Path.GetFullPath(where) ? where : file,
                "name an existing file"
            ),
            FileNotFoundException or DirectoryNotFoundException => new Problem(
                Sentence(exception),
                where,
                "name an existing file and folder"
            ),
            UnauthorizedAccessException when Directory.Exists(where) => new Problem(
                "the path is a folder, but a file is expected",
                where,
                "name a file, for example one in this folder"
            ),
            UnauthorizedAccessException => new Problem(
                Sentence(exception),
                where,
                "name a file, or a folder, that this user may read and write, or change its permissions"
            ),
            _ => new Problem(Sentence(exception), where, fix),
        };
    }

    /// <summary>Returns the problem of an exception during writing.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="where">What was being written.</param>
    /// <param name="fix">How to fix it.</param>
    public static Problem OfWriting(Exception exception, string where, string fix)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return exception is IProblemSource source
            ? source.Problem
            : new Problem($"it cannot be written: {Sentence(exception)}", where, fix);
    }

    private static string Sentence(Exception exception) => exception.Message.TrimEnd('.', ' ');
}
