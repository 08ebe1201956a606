using System.Net;
using System.Net.Http.Headers;
using System.Text;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// One server by its HTTP interface. Nothing here tries again: who calls knows what may be done twice (<see cref="Retries"/>).
/// </summary>
internal sealed class ClickHouseServer : IDisposable
{
    // The server finishes a query and keeps its answer before it sends the first byte, so that an error in the midst of it (a shard that goes) is an error with its own status and no short answer; it goes to disk
    // beyond what is kept in memory. The others are what makes SQL mean what it does in SQLite, whatever the user's profile says: a join brings all matches, what has no match is null; a subquery in a distributed
    // query sees all shards; a shard that does not answer is an error.
    private const string Reading =
        "wait_end_of_query=1&buffer_size=1048576&default_format=TabSeparatedWithNamesAndTypes&readonly=2&enable_http_compression=1&join_use_nulls=1&join_default_strictness=ALL&distributed_product_mode=global" +
        "&skip_unavailable_shards=0&connect_timeout_with_failover_ms=1000";

    // What a query may take; the server ends it otherwise.
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(10);

    private readonly HttpClient _client;
    private readonly ClickHouseAddress _address;

    /// <summary>Opens nothing yet.</summary>
    public ClickHouseServer(Uri server, ClickHouseAddress address)
    {
        Server = server;
        _address = address;
        Name = $"{ClickHouseAddress.Origin(server)}/{address.Database}";
        _client = new HttpClient(new SocketsHttpHandler
        {
            AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate,
            ConnectTimeout = TimeSpan.FromSeconds(10),
            // Servers close what was idle for 3 (current versions) or 10 seconds; a request must not meet that.
            PooledConnectionIdleTimeout = TimeSpan.FromSeconds(2),
        })
        {
            Timeout = s_longest,
        };
    }

    /// <summary>Scheme, host, port.</summary>
    public Uri Server { get; }

    /// <summary>The server and the database as errors name them.</summary>
    public string Name { get; }

    /// <summary>Carries a statement out.</summary>
    /// <param name="sql">The statement.</param>
    /// <param name="inDatabase">Whether names without a database are of the store's; false while there is none.</param>
    /// <exception cref="ServerFailure">It was not carried out, or nobody knows.</exception>
    public void Execute(string sql, bool inDatabase = true)
    {
        using var response = Send("wait_end_of_query=1", new ByteArrayContent(Encoding.UTF8.GetBytes(sql)), inDatabase);
    }

    /// <summary>Puts rows in.</summary>
    /// <param name="statement"><c>INSERT INTO … FORMAT …</c></param>
    /// <param name="compressed">The rows, compressed with gzip.</param>
    /// <exception cref="ServerFailure">They were not put in, or nobody knows.</exception>
    public void Insert(string statement, byte[] compressed)
    {
        var content = new ByteArrayContent(compressed);
        content.Headers.ContentEncoding.Add("gzip");
        content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        using var response = Send($"wait_end_of_query=1&query={Uri.EscapeDataString(statement)}", content, inDatabase: true);
    }

    /// <summary>Asks.</summary>
    /// <exception cref="ServerFailure">There is no answer.</exception>
    public TabSeparatedReader Query(string sql, bool inDatabase = true)
    {
        var response = Send(Reading, new ByteArrayContent(Encoding.UTF8.GetBytes(sql)), inDatabase);
        try
        {
            return new TabSeparatedReader(Name, response.Content.ReadAsStream(), response);
        }
        catch (ServerFailure)
        {
            response.Dispose();
            throw;
        }
    }

    /// <summary>All rows of a small answer.</summary>
    /// <inheritdoc cref="Query"/>
    public List<object?[]> Rows(string sql, bool inDatabase = true)
    {
        using var reader = Query(sql, inDatabase);
        var rows = new List<object?[]>();
        while (reader.Next() is { } row)
            rows.Add(row);
        return rows;
    }

    /// <inheritdoc />
    public void Dispose() => _client.Dispose();

    private HttpResponseMessage Send(string options, HttpContent content, bool inDatabase)
    {
        var database = inDatabase ? $"&database={_address.Database}" : "";
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(Server, $"/?{options}{database}")) { Content = content };
        // Behind a reader's name or password nothing is logged by servers in between, as it would be in the URL.
        if (_address.User is { } user)
            request.Headers.Add("X-ClickHouse-User", user);
        if (_address.Password is { } password)
            request.Headers.Add("X-ClickHouse-Key", password);
        try
        {
            var response = _client.Send(request, HttpCompletionOption.ResponseHeadersRead);
            if (response.StatusCode == HttpStatusCode.OK)
                return response;
            using (response)
                throw ServerErrors.Of(Name, response.StatusCode, Text(response));
        }
        catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException || exception is IOException and not ServerFailure)
        {
            throw ServerErrors.NoAnswer(Name, exception);
        }
    }

    private static string Text(HttpResponseMessage response)
    {
        using var reader = new StreamReader(response.Content.ReadAsStream(), Encoding.UTF8);
        return reader.ReadToEnd();
    }
}
