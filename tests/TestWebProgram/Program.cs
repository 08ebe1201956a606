using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

// A web service and its only client, which sends one request after the other on one connection. Prints by route how often, how long the
// handlers ran, how long the client waited, and how long it took until the next handler began: a connection serves no request before the
// one before has ended.
var rounds = int.Parse(args[0]);
var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
var app = builder.Build();
var traced = 0;
long handlerStart = 0,
    handlerStop = 0;
app.Use(
    async (context, next) =>
    {
        if (context.Request.Headers.ContainsKey("traceparent"))
            traced++;
        if (context.Request.Path == "/renamed")
            context.TraceIdentifier = Guid.NewGuid().ToString();
        handlerStart = Stopwatch.GetTimestamp();
        try
        {
            await next(context);
        }
        finally
        {
            handlerStop = Stopwatch.GetTimestamp();
        }
    }
);
app.UseRouting();
app.MapGet("/items/{id:int}", (int id) => new Item(id, $"Item {id}"));
app.MapGet(
    "/sleep/{ms:int}/of/{name}",
    (int ms, string name) =>
    {
        Thread.Sleep(ms);
        return name;
    }
);
app.MapPost("/echo", (Item item) => item);
app.MapGet("/renamed", () => "renamed");
app.MapGet("/fails", string () => throw new InvalidOperationException("asked for"));
app.MapGet("/hangs", () => Task.Delay(Timeout.Infinite));
await app.StartAsync();
using var client = new HttpClient(new SocketsHttpHandler { MaxConnectionsPerServer = 1 }) { BaseAddress = new Uri(app.Urls.First()) };
var sums = new SortedDictionary<string, Sums>(StringComparer.Ordinal);
(Sums Sums, long Start)? last = null;
for (var round = 0; round < rounds; round++)
{
    await Ask("items", HttpMethod.Get, $"/items/{round}?secret=1");
    await Ask("sleep", HttpMethod.Get, $"/sleep/{10 + (round % 3)}/of/night");
    await Ask("echo", HttpMethod.Post, "/echo");
    await Ask("renamed", HttpMethod.Get, "/renamed");
    await Ask("fails", HttpMethod.Get, "/fails");
    await Ask("missing", HttpMethod.Get, $"/missing/{round}");
}

await Ask("last", HttpMethod.Get, "/items/0");
foreach (var (name, sum) in sums)
    Console.WriteLine(
        FormattableString.Invariant(
            $"{name}.count {sum.Count}\n{name}.handlerMs {Ms(sum.Handler)}\n{name}.clientMs {Ms(sum.Client)}\n{name}.untilNextMs {Ms(sum.UntilNext)}"
        )
    );
Console.WriteLine($"traced {traced}");
var hanging = client.GetAsync("/hangs");
while (handlerStart < handlerStop)
    await Task.Delay(1);
Console.Out.Flush();
Environment.Exit(hanging.IsCompleted ? 1 : 0);

async Task Ask(string name, HttpMethod method, string path)
{
    var request = new HttpRequestMessage(method, path)
    {
        Content =
            method == HttpMethod.Post
                ? new StringContent("""{"id":1,"name":"one"}""", System.Text.Encoding.UTF8, "application/json")
                : null,
    };
    var start = Stopwatch.GetTimestamp();
    var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
    var stop = Stopwatch.GetTimestamp();
    await response.Content.ReadAsByteArrayAsync();
    var sum = sums.TryGetValue(name, out var known) ? known : sums[name] = new Sums();
    if (last is { } before)
        before.Sums.UntilNext += handlerStart - before.Start;
    last = (sum, start);
    sum.Count++;
    sum.Handler += handlerStop - handlerStart;
    sum.Client += stop - start;
}

static string Ms(long ticks) => FormattableString.Invariant($"{Stopwatch.GetElapsedTime(0, ticks).TotalMilliseconds:0.000000}");

internal sealed record Item(int Id, string Name);

internal sealed class Sums
{
    public int Count { get; set; }

    public long Handler { get; set; }

    public long Client { get; set; }

    public long UntilNext { get; set; }
}
