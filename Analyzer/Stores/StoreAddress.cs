using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores;

/// <summary>Names a store: <c>sqlite:FILE</c>, a file that ends with <c>.db</c> or <c>.sqlite</c>, or <c>clickhouse:URL</c>; and behind a <c>#</c> which traces of it.</summary>
/// <param name="Kind">Which kind of store.</param>
/// <param name="Place">Path of the file, or URL.</param>
/// <param name="Selection">What stands behind the <c>#</c>; empty for all traces.</param>
public sealed partial record StoreAddress(StoreKind Kind, string Place, string Selection)
{
    private const string SqlitePrefix = "sqlite:";
    private const string ClickHousePrefix = "clickhouse:";

    private static readonly string[] s_extensions = [".db", ".sqlite", ".sqlite3"];

    /// <summary>Whether a path on the command line names a store and no trace.</summary>
    public static bool IsStore(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.StartsWith(SqlitePrefix, StringComparison.OrdinalIgnoreCase) || text.StartsWith(ClickHousePrefix, StringComparison.OrdinalIgnoreCase) || HasExtension(Split(text).Place);
    }

    /// <summary>Takes an address apart.</summary>
    /// <exception cref="StoreException">It names no store.</exception>
    public static StoreAddress Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var (place, selection) = Split(text);
        if (place.StartsWith(ClickHousePrefix, StringComparison.OrdinalIgnoreCase))
        {
            var url = place[ClickHousePrefix.Length..];
            return Uri.TryCreate(url, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https"
                ? new StoreAddress(StoreKind.ClickHouse, url, selection)
                : throw Wrong(text, "behind clickhouse: stands no URL");
        }

        var file = place.StartsWith(SqlitePrefix, StringComparison.OrdinalIgnoreCase) ? place[SqlitePrefix.Length..] : place;
        return file.Length > 0 && (file.Length != place.Length || HasExtension(file)) ? new StoreAddress(StoreKind.Sqlite, file, selection) : throw Wrong(text, "this names no store");
    }

    /// <summary>The address without a selection, as <c>--store</c> takes it.</summary>
    public override string ToString() => (Kind == StoreKind.Sqlite ? SqlitePrefix : ClickHousePrefix) + Place;

    /// <summary>The place as it is shown: without a password.</summary>
    public string Shown => Password().Replace(Place, "$1…");

    private static (string Place, string Selection) Split(string text) => text.IndexOf('#', StringComparison.Ordinal) is >= 0 and var at ? (text[..at], text[(at + 1)..]) : (text, "");

    private static bool HasExtension(string path) => s_extensions.Any(extension => path.EndsWith(extension, StringComparison.OrdinalIgnoreCase));

    private static StoreException Wrong(string text, string what) =>
        new(new Problem(what, text, "write sqlite:FILE, a file that ends with .db, or clickhouse:http://HOST:PORT/DATABASE")) { IsUsage = true };

    [GeneratedRegex("([?&]password=)[^&]*")]
    private static partial Regex Password();
}

/// <summary>Kinds of stores.</summary>
public enum StoreKind
{
    /// <summary>A file of SQLite.</summary>
    Sqlite = 0,

    /// <summary>A server of ClickHouse, or several as one.</summary>
    ClickHouse = 1,
}
