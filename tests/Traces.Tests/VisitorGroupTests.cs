using System.Reflection;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class VisitorGroupTests
{
    /// <summary>An event that the group does not know would be lost to all its visitors.</summary>
    [Fact]
    public void Every_event_is_passed_on() => Assert.All(
        typeof(TraceVisitor).GetMethods(BindingFlags.Public | BindingFlags.Instance).Where(method => method.IsVirtual && method.Name.StartsWith("On", StringComparison.Ordinal)),
        method => Assert.Equal(typeof(VisitorGroup), typeof(VisitorGroup).GetMethod(method.Name, [.. method.GetParameters().Select(parameter => parameter.ParameterType)])!.DeclaringType));

    [Fact]
    public void Each_visitor_gets_what_it_wants()
    {
        var (switches, both) = (new Listener(), new Listener());
        var source = new Source("a", new object());

        TraceReading.Read([new TraceRequest(source, switches, TraceCapabilities.Switches), new TraceRequest(source, both, TraceCapabilities.Switches | TraceCapabilities.Wakings)]);

        Assert.Equal((1, 0), (switches.Switches, switches.Wakings));
        Assert.Equal((1, 1), (both.Switches, both.Wakings));
        Assert.Equal([TraceCapabilities.Switches | TraceCapabilities.Wakings], source.Passes);
    }

    [Fact]
    public void Sources_that_share_their_files_are_read_in_one_pass()
    {
        var (files, others) = (new object(), new object());
        var sources = new[] { new Source("a", files), new Source("b", others), new Source("c", files) };

        var results = TraceReading.Read(sources.Select(source => new TraceRequest(source, new Listener(), TraceCapabilities.Switches)));

        Assert.Equal([1, 2, 3], sources.Select(source => results[source].Events));
        Assert.Equal(["a c", "b"], Source.Log(sources));
    }

    private sealed class Listener : TraceVisitor
    {
        public int Switches { get; private set; }

        public int Wakings { get; private set; }

        public override void OnSwitchedIn(in EventAt at) => Switches++;

        public override void OnMadeReady(in EventAt at) => Wakings++;
    }

    /// <summary>A source whose passes are noted; it has one switch and one waking.</summary>
    private sealed class Source(string name, object files) : ISharedTraceSource
    {
        private readonly List<string> _together = [];

        public string Name => name;

        public TraceClock Clock => new(0, 1000);

        public int ProcessId => name[0] - 'a';

        public TraceCapabilities Capabilities => TraceCapabilities.All;

        public object SharedFiles => files;

        public List<TraceCapabilities> Passes { get; } = [];

        public static IEnumerable<string> Log(IEnumerable<Source> sources) => sources.SelectMany(source => source._together);

        public TraceReadResult Read(TraceVisitor visitor, TraceCapabilities wanted) => ReadTogether([new TraceRequest(this, visitor, wanted)])[0];

        public IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<TraceRequest> requests)
        {
            _together.Add(string.Join(' ', requests.Select(request => request.Source.Name)));
            foreach (var (source, visitor, wanted) in requests)
            {
                ((Source)source).Passes.Add(wanted);
                visitor.OnSwitchedIn(default);
                if ((wanted & TraceCapabilities.Wakings) != 0)
                    visitor.OnMadeReady(default);
            }

            return [.. requests.Select(request => new TraceReadResult(1 + request.Source.ProcessId, 0, 0, 0, null))];
        }
    }
}
