using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class NetTraceEventTypeTests
{
    /// <summary>Files name providers only; TraceEvent, which decodes the fields, has its own GUIDs for some of them.</summary>
    [Fact]
    public void Providers_have_the_GUIDs_of_the_parsers_that_decode_their_events()
    {
        Assert.Equal(
            TplEtwProviderTraceEventParser.ProviderGuid,
            new NetTraceEventType("System.Threading.Tasks.TplEventSource", 10, "", 3).Provider
        );
        Assert.Equal(ClrTraceEventParser.ProviderGuid, new NetTraceEventType("Microsoft-Windows-DotNETRuntime", 1, "", 2).Provider);
        // By the rule for event sources.
        Assert.Equal(new Guid("d30b5633-7ef1-5485-b4e0-94979b102068"), new NetTraceEventType("System.Net.Http", 1, "", 1).Provider);
    }
}
