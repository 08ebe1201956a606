using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>What the passes over all processes put together.</summary>
/// <param name="inOrder">Whether each sample is kept.</param>
internal sealed class ProfileTables(bool inOrder)
{
    /// <summary>Exceptions and compilations that are kept, of each; storms have millions.</summary>
    public const int MaxEvents = 200_000;

    private readonly Dictionary<(int Group, int Category, int Stack), (long Samples, long CpuNs)> _sums = [];
    private readonly Dictionary<(ProcessKey Process, long Thread), int> _threadNumbers = [];

    public List<ProfileGroup> Groups { get; } = [];

    public ProfileStacks Stacks { get; } = new();

    public List<ProfileSample> Samples { get; } = [];

    public List<ProfileThread> Threads { get; } = [];

    public List<ProfileEvent> Events { get; } = [];

    public long SampleCount { get; private set; }

    public long CpuNs { get; private set; }

    public StackQuality Quality { get; set; }

    /// <summary>Events that found no room, by kind.</summary>
    public long[] Dropped { get; } = new long[Enum.GetValues<ProfileEventKind>().Length];

    /// <summary>Samples added up.</summary>
    public IEnumerable<ProfileSum> Sums =>
        _sums.Select(sum => new ProfileSum(sum.Key.Group, sum.Key.Category, sum.Key.Stack, sum.Value.Samples, sum.Value.CpuNs));

    /// <summary>Mean weight of a sample; samples by ptrace weigh differently.</summary>
    public long PeriodNs => SampleCount == 0 ? 0 : CpuNs / SampleCount;

    public void Add(in ProfileSample sample)
    {
        SampleCount++;
        CpuNs += sample.CpuNs;
        if (inOrder)
        {
            Samples.Add(sample);
            return;
        }

        ref var sum = ref CollectionsMarshal.GetValueRefOrAddDefault(_sums, (sample.Group, sample.Category, sample.Stack), out _);
        sum = (sum.Samples + 1, sum.CpuNs + sample.CpuNs);
    }

    /// <summary>The number of a thread.</summary>
    /// <param name="process">Its process.</param>
    /// <param name="thread">Its id.</param>
    /// <param name="name">Gives its name.</param>
    /// <param name="isMeasuring">Whether it measures.</param>
    public int ThreadOf(TracedProcess process, long thread, Func<long, string> name, Func<long, bool> isMeasuring)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_threadNumbers, (process.Key, thread), out var known);
        if (!known)
        {
            number = Threads.Count;
            Threads.Add(new ProfileThread(process.Key, process.Program, thread, name(thread), isMeasuring(thread)));
        }

        return number;
    }
}
