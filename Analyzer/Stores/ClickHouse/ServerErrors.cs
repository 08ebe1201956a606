using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// Interprets ClickHouse's errors. 18.16 writes <c>Code: 60, e.displayText() = DB::Exception: TEXT, e.what() = DB::Exception</c>, current
/// versions (according to their documentation) <c>Code: 60. DB::Exception: TEXT. (UNKNOWN_TABLE) (version 24.8)</c>; the codes are the
/// same.
/// </summary>
internal static partial class ServerErrors
{
    private const int MaxLength = 400;

    // From src/Common/ErrorCodes.cpp in ClickHouse's sources.
    private const int UnknownTable = 60;
    private const int UnknownDatabase = 81;
    private const int Readonly = 164;
    private const int TooManyQueries = 202;
    private const int SocketTimeout = 209;
    private const int NetworkError = 210;
    private const int MemoryLimit = 241;
    private const int TooManyParts = 252;
    private const int NoShard = 279;
    private const int EndOfFile = 32;

    // Errors in the text of a query: unknown names, syntax, types, wrong arguments.
    private static readonly HashSet<int> s_usage =
    [
        6,
        7,
        8,
        9,
        20,
        35,
        36,
        42,
        43,
        44,
        46,
        47,
        48,
        49,
        51,
        52,
        53,
        59,
        62,
        70,
        72,
        179,
        184,
        207,
        215,
        352,
        386,
        403,
    ];

    // Transient errors: an overloaded server, or a lost connection.
    private static readonly HashSet<int> s_transient =
    [
        EndOfFile,
        TooManyQueries,
        SocketTimeout,
        NetworkError,
        MemoryLimit,
        TooManyParts,
        NoShard,
    ];

    private static readonly HashSet<int> s_login = [192, 193, 194, 195, 516];

    /// <summary>Whether an error is in the query's text.</summary>
    public static bool IsUsage(int code) => s_usage.Contains(code) || code == UnknownTable;

    /// <summary>Whether an error means that a shard is unreachable.</summary>
    public static bool IsShard(int code) => code is NoShard or NetworkError or SocketTimeout or EndOfFile;

    /// <summary>HOST:PORT of the shard in an error of a distributed query; null when there is none.</summary>
    public static string? ShardIn(string text) => ShardPlace().Match(text) is { Success: true } match ? match.Groups[1].Value : null;

    /// <summary>Creates the failure for an error answer of a server.</summary>
    /// <param name="server">The server as formatted for errors.</param>
    /// <param name="status">The answer's status.</param>
    /// <param name="body">Its text.</param>
    public static ServerFailure Of(string server, HttpStatusCode status, string body)
    {
        var match = Form().Match(body);
        if (!match.Success)
            return new ServerFailure(NoClickHouse(server, status, body), isTransient: (int)status >= 500, code: 0);
        var code = int.Parse(match.Groups["code"].Value, CultureInfo.InvariantCulture);
        var text = Shortened(match.Groups["text"].Value);
        return new ServerFailure(Describe(server, code, text), s_transient.Contains(code), code, text);
    }

    /// <summary>Creates the failure for a missing answer.</summary>
    public static ServerFailure NoAnswer(string server, Exception exception) =>
        new(
            new Problem(
                $"the server does not answer: {Reason(exception)}",
                server,
                "start ClickHouse there, or correct host and port (those of its HTTP interface, 8123 unless configured)"
            ),
            isTransient: true,
            code: 0,
            inner: exception
        );

    /// <summary>Creates the failure for a truncated answer.</summary>
    public static ServerFailure BrokenAnswer(string server, Exception exception) =>
        new(
            new Problem(
                $"the server's answer is truncated: {Reason(exception)}",
                server,
                "ask again; check the server's log for a restart"
            ),
            isTransient: true,
            code: 0,
            inner: exception
        );

    private static Problem Describe(string server, int code, string text) =>
        code switch
        {
            _ when s_login.Contains(code) => new Problem(
                $"the server refuses this user: {text}",
                server,
                $"write ?user=NAME and set {ClickHouseAddress.PasswordVariable}"
            ),
            UnknownDatabase => new Problem(
                $"unknown database: {text}",
                server,
                "correct the name; esp-analyze extract --store creates the database"
            ),
            UnknownTable => new Problem(
                $"unknown table: {text}",
                server,
                "docs/schema.md lists the tables; esp-analyze extract --store creates them"
            ),
            Readonly => new Problem(
                $"this user may only read, or the query would write: {text}",
                server,
                "use a SELECT; the user's profile needs readonly = 2 or 0, because queries send settings"
            ),
            TooManyParts => new Problem(
                $"the server does not keep up with merging: {text}",
                server,
                "retries failed; use fewer workers or more shards"
            ),
            _ when IsShard(code) => new Problem(
                $"a shard does not answer: {text}",
                server,
                "start it; partial results would be misleading"
            ),
            _ when s_usage.Contains(code) => new Problem(
                $"the query is wrong: {text}",
                server,
                "correct it; docs/stores.md describes the SQL for both kinds of store"
            ),
            _ => new Problem(
                $"the server failed: {text}",
                server,
                $"see the server's log, code {code.ToString(CultureInfo.InvariantCulture)}"
            ),
        };

    private static Problem NoClickHouse(string server, HttpStatusCode status, string body) =>
        new(
            $"the answer is not from ClickHouse: status {((int)status).ToString(CultureInfo.InvariantCulture)} {Shortened(body)}".TrimEnd(),
            server,
            "use the HTTP interface of a ClickHouse server, by default port 8123"
        );

    private static string Reason(Exception exception) =>
        Shortened(exception is HttpRequestException { InnerException: { } inner } ? inner.Message : exception.Message);

    private static string Shortened(string text)
    {
        var line = Spaces().Replace(text, " ").TrimEnd(' ', '.', ',', '\0');
        return line.Length <= MaxLength ? line : line[..MaxLength] + "…";
    }

    [GeneratedRegex(
        @"Code: (?<code>\d+)(?:, e\.displayText\(\) =|\.) (?:DB::)?(?:Net)?Exception: (?<text>.*?)(?:, e\.what\(\) = .*|(?: \([A-Z_]+\))? \(version .*)?$",
        RegexOptions.Singleline
    )]
    private static partial Regex Form();

    [GeneratedRegex(@"\(([A-Za-z0-9_.:\[\]-]+:\d+)(?:, [^)]*)?\)")]
    private static partial Regex ShardPlace();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}

/// <summary>A request that a server did not execute, or whose answer did not arrive.</summary>
internal sealed class ServerFailure(Problem problem, bool isTransient, int code, string text = "", Exception? inner = null)
    : IOException(problem.ToString(), inner)
{
    /// <summary>What, where, fix.</summary>
    public Problem Problem { get; } = problem;

    /// <summary>Whether a repetition may succeed: no connection, an overloaded server, a proxy in between.</summary>
    public bool IsTransient { get; } = isTransient;

    /// <summary>ClickHouse's code of the error; 0 when it has none.</summary>
    public int Code { get; } = code;

    /// <summary>ClickHouse's message; empty for none.</summary>
    public string Text { get; } = text;

    /// <summary>The error for users of the store.</summary>
    public StoreException AsStoreException() => new(Problem, this) { IsUsage = ServerErrors.IsUsage(Code) };
}
