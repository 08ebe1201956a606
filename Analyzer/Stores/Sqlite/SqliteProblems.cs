using EtwSerializerProfiler.Foundation.Problems;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Interprets SQLite's errors for a store and suggests fixes. Codes: https://sqlite.org/rescode.html.</summary>
internal static class SqliteProblems
{
    private const int Busy = 5;
    private const int Locked = 6;
    private const int ReadOnly = 8;
    private const int InputOutput = 10;
    private const int Corrupt = 11;
    private const int Full = 13;
    private const int CannotOpen = 14;
    private const int NotADatabase = 26;

    /// <summary>Returns the problem of an error.</summary>
    /// <param name="exception">The error.</param>
    /// <param name="path">The file.</param>
    public static Problem Of(SqliteException exception, string path) =>
        exception.SqliteErrorCode switch
        {
            NotADatabase => new Problem(
                "the file is not an SQLite database",
                path,
                "name the file of a store, or a new file to create one: 'esp-analyze extract PATH --store sqlite:FILE'"
            ),
            Corrupt => new Problem(
                $"the database is damaged ({Message(exception)})",
                path,
                "delete it and extract again; do not share a store between machines through a network folder"
            ),
            Busy or Locked => new Problem(
                "another process kept the store locked",
                path,
                "try again when it has ended; on a network folder, where locks do not work, use a file on this machine"
            ),
            Full => new Problem(
                "the disk is full",
                path,
                "free disk space, or put the store on another disk; finished traces are stored, and the same 'extract' continues after them"
            ),
            ReadOnly => new Problem(
                "the file or its folder is read-only",
                path,
                "change its permissions, or use a file in a writable folder"
            ),
            CannotOpen when !File.Exists(path) => new Problem(
                "the store does not exist and cannot be created here",
                path,
                "name a file in an existing, writable folder"
            ),
            CannotOpen => new Problem(
                "the file cannot be opened",
                path,
                "make it readable for this user; its folder must be writable, too, while a process writes to the store"
            ),
            InputOutput => new Problem(
                $"the disk failed to read or write ({Message(exception)})",
                path,
                "check the disk; on a network folder use a file on this machine"
            ),
            _ => new Problem($"SQLite failed: {Message(exception)}", path, "if this happens again, delete the file and extract again"),
        };

    /// <summary>SQLite's own message, without the text that Microsoft.Data.Sqlite adds.</summary>
    public static string Message(SqliteException exception)
    {
        var (first, last) = (exception.Message.IndexOf('\''), exception.Message.LastIndexOf('\''));
        return first >= 0 && last > first ? exception.Message[(first + 1)..last] : exception.Message.TrimEnd('.');
    }
}
