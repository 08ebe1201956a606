using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// A parsed URL of a ClickHouse store:
/// <c>http://HOST:PORT/DATABASE[?cluster=NAME&amp;shards=HOST:PORT,HOST:PORT&amp;user=NAME&amp;password=WORD]</c>.
/// </summary>
public sealed partial record ClickHouseAddress
{
    /// <summary>Environment variable of the password, which keeps it out of command lines, process lists and logs.</summary>
    public const string PasswordVariable = "ESP_CLICKHOUSE_PASSWORD";

    /// <summary>Environment variable of the user's name.</summary>
    public const string UserVariable = "ESP_CLICKHOUSE_USER";

    private const string Form = "write clickhouse:http://HOST:PORT/DATABASE, followed by ?cluster=NAME for a cluster";

    private ClickHouseAddress(Uri server, string database)
    {
        Server = server;
        Database = database;
    }

    /// <summary>The server for queries: scheme, host, port.</summary>
    public Uri Server { get; }

    /// <summary>Name of the database.</summary>
    public string Database { get; }

    /// <summary>Name of the cluster in the server's configuration (<c>remote_servers</c>); null for a single server.</summary>
    public string? Cluster { get; private init; }

    /// <summary>
    /// HTTP addresses of the cluster's shards in the order of their numbers; empty to use each shard's host with the port of
    /// <see cref="Server"/>.
    /// </summary>
    public IReadOnlyList<Uri> Shards { get; private init; } = [];

    /// <summary>Name of the user; null for ClickHouse's default user.</summary>
    public string? User { get; private init; }

    /// <summary>The user's password; null for none. Never printed.</summary>
    public string? Password { get; private init; }

    /// <summary>Parses a URL.</summary>
    /// <param name="url">The URL.</param>
    /// <param name="variable">Returns an environment variable.</param>
    /// <exception cref="StoreException">The URL is invalid.</exception>
    public static ClickHouseAddress Parse(string url, Func<string, string?> variable)
    {
        ArgumentNullException.ThrowIfNull(url);
        ArgumentNullException.ThrowIfNull(variable);
        if (!Uri.TryCreate(url, UriKind.Absolute, out var uri) || uri.Scheme is not ("http" or "https"))
            throw Wrong("the text is not a URL of a ClickHouse server", url);
        if (uri.UserInfo.Length > 0)
            throw Wrong(
                "user and password must not precede the host",
                uri.Host,
                $"write ?user=NAME, and set the environment variable {PasswordVariable}"
            );
        var database = uri.AbsolutePath.Trim('/');
        if (!Identifier().IsMatch(database))
            throw Wrong(database.Length == 0 ? "the URL names no database" : $"{database} is not a valid name of a database", Without(uri));
        return Options(
            new ClickHouseAddress(new Uri(uri.GetLeftPart(UriPartial.Authority)), database)
            {
                User = variable(UserVariable),
                Password = variable(PasswordVariable),
            },
            uri
        );
    }

    /// <summary>The URL without user and password.</summary>
    public override string ToString() =>
        Cluster is { } cluster ? $"{Origin(Server)}/{Database}?cluster={cluster}" : $"{Origin(Server)}/{Database}";

    /// <summary>Formats a server for errors.</summary>
    internal static string Origin(Uri server) => server.GetLeftPart(UriPartial.Authority);

    private static ClickHouseAddress Options(ClickHouseAddress address, Uri uri)
    {
        foreach (var option in uri.Query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            var at = option.IndexOf('=', StringComparison.Ordinal);
            var (name, value) = at < 0 ? (option, "") : (option[..at], Uri.UnescapeDataString(option[(at + 1)..]));
            address = name switch
            {
                "cluster" when ClusterName().IsMatch(value) => address with { Cluster = value },
                "shards" => address with
                {
                    Shards = [.. value.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(shard => Shard(shard, uri))],
                },
                "user" => address with { User = value },
                "password" => address with { Password = value },
                "cluster" => throw Wrong($"{value} is not a valid name of a cluster", Without(uri)),
                _ => throw Wrong(
                    $"the URL has the unknown option {name}",
                    Without(uri),
                    "the options are cluster, shards, user and password"
                ),
            };
        }

        return address.Shards.Count > 0 && address.Cluster is null
            ? throw Wrong("the URL has shards but no cluster", Without(uri), "write ?cluster=NAME&shards=HOST:PORT,HOST:PORT")
            : address;
    }

    private static Uri Shard(string text, Uri server) =>
        Uri.TryCreate(text.Contains("://", StringComparison.Ordinal) ? text : $"{server.Scheme}://{text}", UriKind.Absolute, out var shard)
        && shard.Scheme is "http" or "https"
        && shard.Host.Length > 0
            ? new Uri(shard.GetLeftPart(UriPartial.Authority))
            : throw Wrong(
                $"{text} is not a valid address of a shard",
                Without(server),
                "write shards=HOST:PORT,HOST:PORT, with the HTTP ports"
            );

    private static string Without(Uri uri) => $"{uri.GetLeftPart(UriPartial.Authority)}{uri.AbsolutePath}";

    private static StoreException Wrong(string what, string where, string fix = Form) =>
        new(new Problem(what, where, fix)) { IsUsage = true };

    // Names that ClickHouse accepts without quotes.
    [GeneratedRegex("^[A-Za-z_][A-Za-z0-9_]*$")]
    private static partial Regex Identifier();

    [GeneratedRegex("^[A-Za-z_][A-Za-z0-9_.-]*$")]
    private static partial Regex ClusterName();
}
