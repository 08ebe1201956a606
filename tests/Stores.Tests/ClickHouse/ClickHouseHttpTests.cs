using System.IO.Compression;
using System.Net;
using System.Text;
using EtwSerializerProfiler.Stores.ClickHouse;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tests.ClickHouse;

/// <summary>Requests and responses, with the tests' own server, so that they also run without ClickHouse.</summary>
public sealed class ClickHouseHttpTests
{
    [Fact]
    public void Rows_are_sent_compressed_and_tried_again_as_another_load()
    {
        var loads = new List<ulong>();
        var failures = new Queue<(HttpStatusCode, string)>([
            (HttpStatusCode.BadGateway, "<html>"),
            (
                HttpStatusCode.InternalServerError,
                "Code: 252, e.displayText() = DB::Exception: Too many parts (301). Merges are processing significantly slower than inserts., e.what() = DB::Exception"
            ),
        ]);
        var isDone = false;
        var waits = new List<TimeSpan>();
        using var server = new FakeServer(request =>
        {
            Assert.Equal("reader", request.Headers["X-ClickHouse-User"]);
            Assert.Equal("geheim", request.Headers["X-ClickHouse-Key"]);
            Assert.DoesNotContain("geheim", request.Url, StringComparison.Ordinal);
            if (request.Body.StartsWith("INSERT INTO esp_loads", StringComparison.Ordinal))
            {
                isDone |= request.Body.Contains("SELECT", StringComparison.Ordinal);
                return (HttpStatusCode.OK, "");
            }

            if (request.Query.StartsWith("INSERT INTO cause_rows", StringComparison.Ordinal))
            {
                // RowBinary: a length, the trace, the load.
                Assert.Equal("gzip", request.Headers["Content-Encoding"]);
                Assert.Equal("a1", Encoding.UTF8.GetString(request.Bytes, 1, request.Bytes[0]));
                loads.Add(BitConverter.ToUInt64(request.Bytes, 3));
                return failures.TryDequeue(out var failure) ? failure : (HttpStatusCode.OK, "");
            }

            return request.Body switch
            {
                _ when request.Body.StartsWith("SELECT toInt64", StringComparison.Ordinal) => (
                    HttpStatusCode.OK,
                    "now\nInt64\n1700000000\n"
                ),
                _ when request.Body.StartsWith("SELECT trace", StringComparison.Ordinal) => (
                    HttpStatusCode.OK,
                    "trace\tnumber\thighest\tpath\toutcome\nString\tInt64\tUInt8\tString\tString\n"
                        + (isDone ? $"a1\t{loads[^1]}\t1\t/t/a1\textracted\n" : "")
                ),
                _ => (HttpStatusCode.OK, ""),
            };
        });
        using var store = new ClickHouseStore(
            StoreAddress.Parse($"clickhouse:{server.Url}/esp?user=reader&password=geheim"),
            new Retries([TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)], waits.Add)
        );
        store.Replace(MadeTraces.Make("a1", "/t/a1"));
        Assert.Equal(3, loads.Distinct().Count());
        Assert.Equal([TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)], waits);
        Assert.All(loads, load => Assert.Equal(1700000000UL, load >> 30));
    }

    [Fact]
    public void What_does_not_pass_is_not_tried_again()
    {
        var requests = 0;
        using var server = new FakeServer(_ =>
        {
            requests++;
            return (
                HttpStatusCode.NotFound,
                "Code: 60, e.displayText() = DB::Exception: Table esp.esp_loads doesn't exist., e.what() = DB::Exception"
            );
        });
        using var store = new ClickHouseStore(
            StoreAddress.Parse($"clickhouse:{server.Url}/esp"),
            new Retries([TimeSpan.Zero], static _ => { })
        );
        Assert.Equal(
            "unknown table: Table esp.esp_loads doesn't exist",
            Assert.Throws<StoreException>(() => store.Replace(MadeTraces.Make("a1", "/t/a1"))).Problem.What
        );
        Assert.Equal(1, requests);
    }

    [Fact]
    public void A_server_that_is_not_there_is_reported_without_the_password()
    {
        string url;
        using (var server = new FakeServer(_ => (HttpStatusCode.OK, "")))
            url = server.Url;
        using var store = new ClickHouseStore(
            StoreAddress.Parse($"clickhouse:{url}/esp?password=geheim"),
            new Retries([], static _ => { })
        );
        foreach (
            var action in new Action[]
            {
                store.Prepare,
                () => store.Traces(),
                () => store.Query("SELECT 1"),
                () => store.Replace(MadeTraces.Make("a1", "/t/a1")),
            }
        )
        {
            var exception = Assert.Throws<StoreException>(action);
            Assert.StartsWith("the server does not answer: ", exception.Problem.What, StringComparison.Ordinal);
            Assert.Equal($"{url}/esp", exception.Problem.Where);
            Assert.DoesNotContain("geheim", exception.ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("n\nInt64\n1\n2", "the server's answer is truncated")]
    [InlineData("<html>hello</html>", "the server's answer is truncated")]
    [InlineData("<html>\nhello\n</html>\n", "the server's answer has an unexpected format")]
    [InlineData("n\tm\nInt64\tInt64\n1\n", "the server's answer has an unexpected format")]
    public void An_answer_that_is_none_is_an_error(string answer, string what)
    {
        using var server = new FakeServer(_ => (HttpStatusCode.OK, answer));
        using var store = new ClickHouseStore(StoreAddress.Parse($"clickhouse:{server.Url}/esp"), new Retries([], static _ => { }));
        var exception = Assert.Throws<StoreException>(() =>
        {
            using var reader = store.Query("SELECT 1");
            while (reader.Next() is not null) { }
        });
        Assert.StartsWith(what, exception.Problem.What, StringComparison.Ordinal);
    }

    [Fact]
    public void Values_and_types_of_current_versions_are_read()
    {
        const string Answer =
            "a\tb\tc\td\te\tf\tg\nLowCardinality(Nullable(String))\tBool\tDecimal(10, 2)\tUInt64\tDateTime('UTC')\tNullable(Float64)\tFloat64\n"
            + "x\\ty\\\\\\n\\'\\0\ttrue\t1.50\t18446744073709551615\t2026-11-22 03:00:00\t\\N\tnan\n\\N\tfalse\t-2\t7\t2026-11-22 03:00:00\t0.30000000000000004\t-inf\n";
        using var server = new FakeServer(_ => (HttpStatusCode.OK, Answer));
        using var store = new ClickHouseStore(StoreAddress.Parse($"clickhouse:{server.Url}/esp"));
        using var reader = store.Query("SELECT 1;");
        Assert.Equal(
            [ColumnType.Text, ColumnType.Integer, ColumnType.Real, ColumnType.Integer, ColumnType.Text, ColumnType.Real, ColumnType.Real],
            reader.Columns.Select(column => column.Type)
        );
        Assert.Equal(["x\ty\\\n'\0", 1L, 1.5, 18446744073709551615.0, "2026-11-22 03:00:00", null, null], reader.Next()!);
        Assert.Equal([null, 0L, -2.0, 7L, "2026-11-22 03:00:00", 0.1 + 0.2, null], reader.Next()!);
        Assert.Null(reader.Next());
    }

    [Theory]
    [InlineData(
        "Code: 62. DB::Exception: Syntax error: failed at position 1 ('selec'): selec 1. Expected one of: SELECT. (SYNTAX_ERROR) (version 24.8.4.13 (official build))\n",
        62,
        "Syntax error: failed at position 1 ('selec'): selec 1. Expected one of: SELECT"
    )]
    [InlineData(
        "Code: 279. DB::NetException: All connection tries failed. Log: \n\nCode: 210. DB::NetException: Connection refused (10.0.0.2:9000). (NETWORK_ERROR) (version 24.8.4.13)\n: While executing Remote. (ALL_CONNECTION_TRIES_FAILED) (version 24.8.4.13)",
        279,
        "All connection tries failed. Log: Code: 210. DB::NetException: Connection refused (10.0.0.2:9000)"
    )]
    [InlineData(
        "Code: 81, e.displayText() = DB::Exception: Database nope doesn't exist, e.what() = DB::Exception",
        81,
        "Database nope doesn't exist"
    )]
    public void Errors_of_old_and_current_versions_are_understood(string body, int code, string text)
    {
        var failure = ServerErrors.Of("http://h:8123/esp", HttpStatusCode.InternalServerError, body);
        Assert.Equal(code, failure.Code);
        Assert.Equal(text, failure.Text);
        if (code == 279)
            Assert.Equal("10.0.0.2:9000", ServerErrors.ShardIn(failure.Text));
    }

    [Theory]
    [InlineData("http://h:8123/esp", "http://h:8123", "esp", null, 0)]
    [InlineData("https://h:8443/esp?cluster=fleet", "https://h:8443", "esp", "fleet", 0)]
    [InlineData("http://h:8123/esp/?cluster=my-fleet&shards=a:1,http://b:2&user=me&password=a%26b", "http://h:8123", "esp", "my-fleet", 2)]
    public void An_address_is_taken_apart(string url, string server, string database, string? cluster, int shards)
    {
        var address = ClickHouseAddress.Parse(url, name => name == ClickHouseAddress.PasswordVariable ? "word" : null);
        Assert.Equal(new Uri(server), address.Server);
        Assert.Equal(database, address.Database);
        Assert.Equal(cluster, address.Cluster);
        Assert.Equal(shards, address.Shards.Count);
        Assert.Equal(shards == 2 ? "a&b" : "word", address.Password);
        Assert.DoesNotContain("a&b", address.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("clickhouse:http://h:8123/esp?password=geheim&cluster=fleet", "http://h:8123/esp?password=…&cluster=fleet")]
    [InlineData("clickhouse:http://h:8123/esp?cluster=fleet", "http://h:8123/esp?cluster=fleet")]
    [InlineData("sqlite:/t/password=x.db", "/t/password=x.db")]
    public void A_password_is_not_shown(string address, string shown) => Assert.Equal(shown, StoreAddress.Parse(address).Shown);

    [Theory]
    [InlineData("http://h:8123", "the URL names no database")]
    [InlineData("http://h:8123/a b", "a%20b is not a valid name of a database")]
    [InlineData("http://h:8123/esp?clutser=x", "the URL has the unknown option clutser")]
    [InlineData("http://h:8123/esp?shards=a:1", "the URL has shards but no cluster")]
    [InlineData("http://h:8123/esp?cluster=a'b", "a'b is not a valid name of a cluster")]
    [InlineData("http://me:word@h:8123/esp", "user and password must not precede the host")]
    public void A_wrong_address_is_reported(string url, string what)
    {
        var exception = Assert.Throws<StoreException>(() => ClickHouseAddress.Parse(url, static _ => null));
        Assert.Equal(what, exception.Problem.What);
        Assert.True(exception.IsUsage);
    }

    /// <summary>A request as the test sees it.</summary>
    private sealed record Request(string Url, string Query, Dictionary<string, string?> Headers, byte[] Bytes)
    {
        public string Body => Encoding.UTF8.GetString(Bytes);
    }

    /// <summary>Answers requests of HTTP one after the other.</summary>
    private sealed class FakeServer : IDisposable
    {
        private readonly HttpListener _listener;
        private readonly Func<Request, (HttpStatusCode Status, string Body)> _answer;
        private readonly Thread _thread;

        public FakeServer(Func<Request, (HttpStatusCode Status, string Body)> answer)
        {
            _answer = answer;
            (_listener, Url) = Listen();
            _thread = new Thread(Run) { IsBackground = true };
            _thread.Start();
        }

        public string Url { get; }

        /// <summary>Listens on a free port; another process may take one before it is used.</summary>
        private static (HttpListener Listener, string Url) Listen()
        {
            while (true)
            {
                var url = $"http://127.0.0.1:{Fleet.EngineProcess.FreePort()}";
                var listener = new HttpListener { Prefixes = { url + "/" } };
                try
                {
                    listener.Start();
                    return (listener, url);
                }
                catch (HttpListenerException)
                {
                    listener.Close();
                }
            }
        }

        public void Dispose()
        {
            _listener.Abort();
            _thread.Join(TimeSpan.FromSeconds(2));
        }

        private void Run()
        {
            try
            {
                while (true)
                    Answer(_listener.GetContext());
            }
            catch (Exception exception) when (exception is HttpListenerException or ObjectDisposedException or InvalidOperationException)
            {
                // The test is over.
            }
        }

        private void Answer(HttpListenerContext context)
        {
            using var body = new MemoryStream();
            using (
                var stream =
                    context.Request.Headers["Content-Encoding"] == "gzip"
                        ? new GZipStream(context.Request.InputStream, CompressionMode.Decompress)
                        : context.Request.InputStream
            )
                stream.CopyTo(body);
            var headers = context.Request.Headers.AllKeys.ToDictionary(
                key => key!,
                key => context.Request.Headers[key],
                StringComparer.OrdinalIgnoreCase
            );
            (HttpStatusCode Status, string Body) answer;
            try
            {
                answer = _answer(
                    new Request(context.Request.Url!.ToString(), context.Request.QueryString["query"] ?? "", headers, body.ToArray())
                );
            }
            catch (Exception exception)
            {
                // An assertion of the test: it reaches it as the error of a server.
                answer = (
                    HttpStatusCode.BadRequest,
                    $"Code: 62, e.displayText() = DB::Exception: {exception.Message}, e.what() = DB::Exception"
                );
            }

            context.Response.StatusCode = (int)answer.Status;
            context.Response.OutputStream.Write(Encoding.UTF8.GetBytes(answer.Body));
            context.Response.Close();
        }
    }
}
