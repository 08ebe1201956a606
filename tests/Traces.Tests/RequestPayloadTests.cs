using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Text;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class RequestPayloadTests
{
    private const string Server = "Microsoft.AspNetCore";
    private const string Client = "HttpHandlerDiagnosticListener";

    private readonly List<RequestStarted> _started = [];
    private readonly List<RequestStopped> _stopped = [];

    /// <summary>The class library's source is internal; this one has its name.</summary>
    [EventSource(Name = RequestProvider.Name)]
    private sealed class Named : EventSource;

    [Fact]
    public void The_id_of_the_provider_is_that_of_its_name() => Assert.Equal(EventSource.GetGuid(typeof(Named)), RequestPayload.Provider);

    [Fact]
    public void A_request_that_is_served_has_its_path_and_its_status()
    {
        Hear(Payload(Server, "Microsoft.AspNetCore.Hosting.BeginRequest", ("Id", "a:1"), ("Method", "GET"), ("Path", "/items/5")));
        Hear(
            Payload(
                Server,
                "Microsoft.AspNetCore.Hosting.EndRequest",
                ("Id", "a:1"),
                ("Connection", "a"),
                ("Status", "404"),
                ("Values", "[id, 5]")
            )
        );
        Hear(
            Payload(
                Server,
                "Microsoft.AspNetCore.Hosting.UnhandledException",
                ("Id", "a:2"),
                ("Connection", "a"),
                ("Status", "500"),
                ("Values", "")
            )
        );

        Assert.Equal(new RequestStarted(default, RequestSide.Served, "a:1", "GET", "", "/items/5"), Assert.Single(_started));
        Assert.Equal(
            [
                new RequestStopped(default, RequestSide.Served, "a:1", "a", 404, "[id, 5]", false),
                new RequestStopped(default, RequestSide.Served, "a:2", "a", 500, "", true),
            ],
            _stopped
        );
    }

    [Fact]
    public void A_request_that_is_sent_has_its_host_and_the_status_by_its_name()
    {
        Hear(Payload(Client, "System.Net.Http.Request", ("Id", "g"), ("Method", "POST"), ("Host", "shop:80"), ("Path", "/x")));
        Hear(Payload(Client, "System.Net.Http.Response", ("Id", "g"), ("Status", "InternalServerError"), ("Outcome", "RanToCompletion")));
        Hear(Payload(Client, "System.Net.Http.Response", ("Id", "h"), ("Status", ""), ("Outcome", "Canceled")));

        Assert.Equal(new RequestStarted(default, RequestSide.Sent, "g", "POST", "shop:80", "/x"), Assert.Single(_started));
        Assert.Equal(
            [
                new RequestStopped(default, RequestSide.Sent, "g", "", 500, "", false),
                new RequestStopped(default, RequestSide.Sent, "h", "", null, "", true),
            ],
            _stopped
        );
    }

    [Fact]
    public void Events_that_other_tools_asked_for_and_cut_ones_are_passed_by()
    {
        var whole = Payload(Server, "Microsoft.AspNetCore.Hosting.BeginRequest", ("Id", "a:1"));
        Hear(Payload(Server, "Microsoft.AspNetCore.Hosting.HttpRequestIn.Stop", ("Id", "a:1")));
        Hear(Payload("Other", "Microsoft.AspNetCore.Hosting.BeginRequest", ("Id", "a:1")));
        Hear(Payload(Server, "Microsoft.AspNetCore.Hosting.BeginRequest", ("Path", "/x")));
        for (var length = 0; length < whole.Length; length++)
            Hear(whole[..length]);

        Assert.Empty(_started);
        Hear(whole);
        Assert.Single(_started);
    }

    private void Hear(byte[] payload)
    {
        var hub = new EventHub();
        hub.Subscribe((in RequestStarted start) => _started.Add(start));
        hub.Subscribe((in RequestStopped stop) => _stopped.Add(stop));
        new ClrEventDispatcher(hub).Dispatch(RequestPayload.Provider, 17, default, payload);
    }

    private static byte[] Payload(string source, string name, params (string Name, string Value)[] properties)
    {
        var count = new byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(count, (ushort)properties.Length);
        return
        [
            .. Text(source),
            .. Text(name),
            .. count,
            .. properties.SelectMany(property => (byte[])[.. Text(property.Name), .. Text(property.Value)]),
        ];
    }

    private static byte[] Text(string text) => Encoding.Unicode.GetBytes(text + '\0');
}
