using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class TracedProcessTests
{
    [Fact]
    public void An_event_is_read_from_one_source_and_a_name_from_all()
    {
        var clr = new SyntheticTrace { Kinds = EventKinds.Gc | EventKinds.RunMarks };
        var code = new SyntheticTrace { Kinds = EventKinds.Gc | EventKinds.Jit | EventKinds.MethodCode };
        var names = new SyntheticTrace { Kinds = EventKinds.MethodCode };

        var shares = new TracedProcess(1, "", "", [clr, code, names], []).Shares(EventKinds.All);

        Assert.Equal(
            [EventKinds.Gc | EventKinds.RunMarks, EventKinds.Jit | EventKinds.MethodCode, EventKinds.MethodCode],
            shares.Select(share => share.Share)
        );
    }
}
