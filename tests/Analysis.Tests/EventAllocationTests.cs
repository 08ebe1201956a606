using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>The memory of the reports' passes grows with rows, not with events.</summary>
public sealed class EventAllocationTests
{
    [Theory]
    [InlineData("alloc")]
    [InlineData("alloc-method")]
    [InlineData("alloc-stack")]
    [InlineData("exceptions")]
    [InlineData("locks")]
    [InlineData("jit")]
    public void An_event_allocates_nothing(string report)
    {
        const int Many = 20_000;
        // The smallest object has 24 bytes; the one-time allocations of a pass vary by some 10 KB with the progress of the JIT.
        Assert.InRange(Allocated(2 * Many) - Allocated(Many), long.MinValue, 8 * Many);

        long Allocated(int events)
        {
            var marks = new SyntheticTrace { Kinds = EventKinds.RunMarks | EventKinds.MethodCode }
                .Run(1, 1000, 3000)
                .Code(1, 0x1000, "T", "A", 1);
            IReadOnlyList<TracedProcess> processes =
            [
                new TracedProcess(SyntheticTrace.Process, "program", "", [marks, new RepeatedEvents(events)], []),
            ];
            var runs = RunAnalysis.Run(processes, []).Runs;
            var query = new EventQuery(new RunFilter(), null);
            var files = new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);
            Run();
            var before = GC.GetAllocatedBytesForCurrentThread();
            Run();
            return GC.GetAllocatedBytesForCurrentThread() - before;

            long Run() =>
                report switch
                {
                    "alloc" => AllocationAnalysis.Run(processes, runs, query, AllocationGrouping.Type, files).Events,
                    "alloc-method" => AllocationAnalysis.Run(processes, runs, query, AllocationGrouping.Method, files).Events,
                    "alloc-stack" => AllocationAnalysis.Run(processes, runs, query, AllocationGrouping.Stack, files).Events,
                    "exceptions" => ExceptionAnalysis.Run(processes, runs, query, files).Rows[0].Count,
                    "locks" => LockAnalysis.Run(processes, runs, query, files).Rows[0].Count,
                    _ => JitAnalysis.Run(processes, runs, query, files).Rows[0].Count,
                };
        }
    }

    /// <summary>Sends the same events many times, without allocating itself.</summary>
    private sealed class RepeatedEvents(int count) : ITraceSource
    {
        private static readonly ulong[] s_stack = [0x1010, 0x2010];

        public string Name => "events";

        public TraceClock Clock => new(0, 1_000_000_000);

        public int ProcessId => SyntheticTrace.Process;

        public EventKinds Kinds => EventKinds.AllocationSamples | EventKinds.Exceptions | EventKinds.Contention | EventKinds.Jit;

        public EventDetails Details => EventDetails.Stacks;

        public TraceReadResult Read(EventHub hub)
        {
            for (var i = 0; i < count; i++)
            {
                var at = new EventAt(1_100_000 + (i % 1000), ProcessId, 1);
                hub.Publish(
                    new AllocationSample
                    {
                        At = at,
                        Type = "System.String",
                        ObjectBytes = 24,
                        Stack = s_stack,
                    }
                );
                hub.Publish(
                    new ExceptionThrown
                    {
                        At = at,
                        Type = "System.FormatException",
                        Message = "message",
                        Stack = s_stack,
                    }
                );
                hub.Publish(
                    new ContentionStarted
                    {
                        At = at,
                        LockId = 1,
                        OwnerThreadId = 2,
                        Stack = s_stack,
                    }
                );
                hub.Publish(new ContentionStopped(at with { Time = at.Time + 1 }, IsNative: false));
                hub.Publish(
                    new JitStarted
                    {
                        At = at,
                        MethodId = 1,
                        IlBytes = 1,
                        Stack = s_stack,
                    }
                );
                hub.Publish(
                    new MethodLoaded
                    {
                        At = at with { Time = at.Time + 1 },
                        MethodId = 1,
                        IsJitted = true,
                        Namespace = "T",
                        Name = "A",
                    }
                );
            }

            return new TraceReadResult(count, 0, 1_000_000, 2_000_000, null);
        }
    }
}
