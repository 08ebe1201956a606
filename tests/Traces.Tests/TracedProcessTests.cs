using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class TracedProcessTests
{
    [Fact]
    public void An_event_is_read_from_one_source_and_a_name_from_all()
    {
        var clr = new SyntheticTrace { Capabilities = TraceCapabilities.Collections | TraceCapabilities.RunMarks };
        var code = new SyntheticTrace { Capabilities = TraceCapabilities.Collections | TraceCapabilities.Jit | TraceCapabilities.MethodCode };
        var names = new SyntheticTrace { Capabilities = TraceCapabilities.MethodCode };

        var shares = new TracedProcess(1, "", "", [clr, code, names], []).Shares(TraceCapabilities.All);

        Assert.Equal([TraceCapabilities.Collections | TraceCapabilities.RunMarks, TraceCapabilities.Jit | TraceCapabilities.MethodCode, TraceCapabilities.MethodCode], shares.Select(share => share.Share));
    }
}
