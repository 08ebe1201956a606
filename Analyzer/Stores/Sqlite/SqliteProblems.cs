using EtwSerializerProfiler.Foundation.Problems;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>What SQLite's errors mean for a store, and what to do about them. Codes: https://sqlite.org/rescode.html.</summary>
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

    /// <summary>The problem behind an error of the file.</summary>
    /// <param name="exception">The error.</param>
    /// <param name="path">The file.</param>
    public static Problem Of(SqliteException exception, string path) => exception.SqliteErrorCode switch
    {
        NotADatabase => new Problem("this is no SQLite database", path, "name the file of a store, or another file to make one: 'esp-analyze extract PATH --store sqlite:FILE'"),
        Corrupt => new Problem($"the database is damaged ({Message(exception)})", path, "delete it and extract again; a store is never shared between machines by a network folder"),
        Busy or Locked => new Problem("another process has been writing to the store all the time that was waited for", path, "try again when it has ended; on a network folder, where locks do not work, use a file on this machine"),
        Full => new Problem("the disk is full", path, "make room, or put the store on another disk; what was extracted before is in it, and a second 'extract' goes on from there"),
        ReadOnly => new Problem("the file, or its folder, may not be written", path, "change its permissions, or name a file in a folder that this user may write"),
        CannotOpen when !File.Exists(path) => new Problem("there is no such store, and none can be made here", path, "name a file in a folder that exists and that this user may write"),
        CannotOpen => new Problem("the file cannot be opened", path, "make it readable for this user; its folder must be writable, too, while a process writes to the store"),
        InputOutput => new Problem($"the disk failed to read or write ({Message(exception)})", path, "look at the disk; on a network folder use a file on this machine"),
        _ => new Problem($"SQLite failed: {Message(exception)}", path, "if it happens again, delete the file and extract again"),
    };

    /// <summary>SQLite's own words, without those that Microsoft.Data.Sqlite puts around them.</summary>
    public static string Message(SqliteException exception)
    {
        var (first, last) = (exception.Message.IndexOf('\''), exception.Message.LastIndexOf('\''));
        return first >= 0 && last > first ? exception.Message[(first + 1)..last] : exception.Message.TrimEnd('.');
    }
}
