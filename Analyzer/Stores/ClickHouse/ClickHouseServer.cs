using System.Net;
using System.Net.Http.Headers;
using System.Text;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// One server through its HTTP interface. It never retries, because only the caller knows what may be repeated (<see cref="Retries"/>).
/// </summary>
internal sealed class ClickHouseServer : IDisposable
{
    // The server completes a query and keeps its answer before it sends the first byte. So an error in the middle of it (a lost shard) has
    // its own HTTP status and never truncates the answer; answers that exceed the memory limit go to disk. The other settings make SQL
    // behave as in SQLite, whatever the user's profile sets: a join returns all matches, a missing match is null; a subquery in a
    // distributed query sees all shards; a shard that does not answer is an error.
    private const string Reading =
        "wait_end_of_query=1&buffer_size=1048576&default_format=TabSeparatedWithNamesAndTypes&readonly=2&enable_http_compression=1&join_use_nulls=1&join_default_strictness=ALL&distributed_product_mode=global"
        + "&skip_unavailable_shards=0&connect_timeout_with_failover_ms=1000";

    // Limits of a query; beyond them the server ends it.
    private static readonly TimeSpan s_maxTime = TimeSpan.FromMinutes(10);

    private readonly HttpClient _client;
    private readonly ClickHouseAddress _address;

    /// <summary>Creates the object without connecting.</summary>
    public ClickHouseServer(Uri server, ClickHouseAddress address)
    {
        Server = server;
        _address = address;
        Name = $"{ClickHouseAddress.Origin(server)}/{address.Database}";
        _client = new HttpClient(
            new SocketsHttpHandler
            {
                AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate,
                ConnectTimeout = TimeSpan.FromSeconds(10),
                // Servers close connections that were idle for 3 (current versions) or 10 seconds; a request must not meet that.
                PooledConnectionIdleTimeout = TimeSpan.FromSeconds(2),
            }
        )
        {
            Timeout = s_maxTime,
        };
    }

    /// <summary>Scheme, host, port.</summary>
    public Uri Server { get; }

    /// <summary>Formats server and database for errors.</summary>
    public string Name { get; }

    /// <summary>Executes a statement.</summary>
    /// <param name="sql">The statement.</param>
    /// <param name="inDatabase">Whether names without a database belong to the store's database; false before it exists.</param>
    /// <exception cref="ServerFailure">The statement failed, or its result is unknown.</exception>
    public void Execute(string sql, bool inDatabase = true)
    {
        using var response = Send("wait_end_of_query=1", new ByteArrayContent(Encoding.UTF8.GetBytes(sql)), inDatabase);
    }

    /// <summary>Inserts rows.</summary>
    /// <param name="statement"><c>INSERT INTO … FORMAT …</c></param>
    /// <param name="compressed">The rows, compressed with gzip.</param>
    /// <exception cref="ServerFailure">The insert failed, or its result is unknown.</exception>
    public void Insert(string statement, byte[] compressed)
    {
        var content = new ByteArrayContent(compressed);
        content.Headers.ContentEncoding.Add("gzip");
        content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        using var response = Send($"wait_end_of_query=1&query={Uri.EscapeDataString(statement)}", content, inDatabase: true);
    }

    /// <summary>Executes a query.</summary>
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

    /// <summary>Returns all rows of a small answer.</summary>
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
        // User and password are in headers, because servers in between may log URLs.
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
        catch (Exception exception)
            when (exception is HttpRequestException or OperationCanceledException || exception is IOException and not ServerFailure)
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
