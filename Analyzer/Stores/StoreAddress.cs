using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores;

/// <summary>
/// Address of a store: <c>sqlite:FILE</c>, a file with extension <c>.db</c> or <c>.sqlite</c>, or <c>clickhouse:URL</c>, optionally
/// followed by <c>#</c> and a selection of traces.
/// </summary>
/// <param name="Kind">Kind of store.</param>
/// <param name="Place">Path of the file, or URL.</param>
/// <param name="Selection">The text after <c>#</c>; empty for all traces.</param>
public sealed partial record StoreAddress(StoreKind Kind, string Place, string Selection)
{
    private const string SqlitePrefix = "sqlite:";
    private const string ClickHousePrefix = "clickhouse:";

    private static readonly string[] s_extensions = [".db", ".sqlite", ".sqlite3"];

    /// <summary>Whether a path on the command line is a store instead of a trace.</summary>
    public static bool IsStore(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.StartsWith(SqlitePrefix, StringComparison.OrdinalIgnoreCase)
            || text.StartsWith(ClickHousePrefix, StringComparison.OrdinalIgnoreCase)
            || HasExtension(Split(text).Place);
    }

    /// <summary>Parses an address.</summary>
    /// <exception cref="StoreException">The text is not an address of a store.</exception>
    public static StoreAddress Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var (place, selection) = Split(text);
        if (place.StartsWith(ClickHousePrefix, StringComparison.OrdinalIgnoreCase))
        {
            var url = place[ClickHousePrefix.Length..];
            return Uri.TryCreate(url, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https"
                ? new StoreAddress(StoreKind.ClickHouse, url, selection)
                : throw Wrong(text, "clickhouse: must be followed by a URL");
        }

        var file = place.StartsWith(SqlitePrefix, StringComparison.OrdinalIgnoreCase) ? place[SqlitePrefix.Length..] : place;
        return file.Length > 0 && (file.Length != place.Length || HasExtension(file))
            ? new StoreAddress(StoreKind.Sqlite, file, selection)
            : throw Wrong(text, "the text is not an address of a store");
    }

    /// <summary>The address without a selection, in the form of <c>--store</c>.</summary>
    public override string ToString() => (Kind == StoreKind.Sqlite ? SqlitePrefix : ClickHousePrefix) + Place;

    /// <summary>The place without a password, for output.</summary>
    public string Shown => Password().Replace(Place, "$1…");

    private static (string Place, string Selection) Split(string text) =>
        text.IndexOf('#', StringComparison.Ordinal) is >= 0 and var at ? (text[..at], text[(at + 1)..]) : (text, "");

    private static bool HasExtension(string path) =>
        s_extensions.Any(extension => path.EndsWith(extension, StringComparison.OrdinalIgnoreCase));

    private static StoreException Wrong(string text, string what) =>
        new(new Problem(what, text, "write sqlite:FILE, a file that ends with .db, or clickhouse:http://HOST:PORT/DATABASE"))
        {
            IsUsage = true,
        };

    [GeneratedRegex("([?&]password=)[^&]*")]
    private static partial Regex Password();
}

/// <summary>Kinds of stores.</summary>
public enum StoreKind
{
    /// <summary>An SQLite file.</summary>
    Sqlite = 0,

    /// <summary>A ClickHouse server or cluster.</summary>
    ClickHouse = 1,
}
