using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Locks that cap scaling, on made-up traces of 2 ms with 1 thread, and more with several.</summary>
public sealed class LockScalingRuleTests
{
    private const ulong Monitor = 0x1000;
    private const ulong Write = 0x2000;
    private const int Threads = 4;

    [Theory]
    [InlineData(4)]
    [InlineData(2)]
    [InlineData(null)]
    public void Threads_that_wait_instead_of_scaling_are_named_with_method_lock_and_owner(int? processors)
    {
        var trace = Trace(single: true, stop: 13_000).Named(1, 9, "holder");
        for (var thread = 11; thread < 14; thread++)
            trace.Contention(5000, 11_000, thread, 0xABC, 9, Monitor + 0x10, Write + 0x10);

        var finding = Assert.Single(Rules.Check(new LockScalingRule(), trace, processors));

        Assert.Equal(("lock-scaling", FindingConfidence.Likely, FindingKind.Hint), (finding.Code, finding.Confidence, finding.Kind));
        Assert.StartsWith(
            "locks limit scaling over threads: Json Serialize x4 N=1000 (1.00 times as fast with 4 threads, 56 % of thread time waits, 18 ms of 3 threads in Lib.Writer.Write for a System.Threading.Monitor owned by thread holder); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.EndsWith("; " + finding.Advice, finding.Text, StringComparison.Ordinal);
        Assert.Equal([1.0, 56.2, 18.0], finding.Evidence.Select(figure => Math.Round(figure.Value, 1)));
        var place = Assert.Single(finding.Locations);
        Assert.Equal((2, 5.0, 11.0), (place.RunId!.Value, place.StartMs, place.StopMs));
    }

    /// <summary>The owner computes for 1 ms, is 1 ms without a processor, and sleeps for 4, while three threads wait for 6 ms.</summary>
    [Fact]
    public void What_the_owner_does_meanwhile_is_named()
    {
        const ulong Load = 0x3000;
        const ulong Sleep = 0x4000;
        var trace = Trace(single: true, stop: 13_000)
            .Code(1, Load, "Lib.Reader", "Load", 3)
            .Code(1, Sleep, "System.Threading.Thread", "Sleep", 4)
            .SwitchIn(5000, 9)
            .Sample(5500, 9, 0, Write + 0x10)
            .SwitchOut(6000, 9, preempted: true)
            .SwitchIn(7000, 9)
            .SwitchOutStack(7000, 9, 0, Sleep + 0x10, Load + 0x10)
            .SwitchOut(7000, 9)
            .SwitchIn(11_000, 9);
        for (var thread = 11; thread < 14; thread++)
            trace.Contention(5000, 11_000, thread, 0xABC, 9, Monitor + 0x10, Write + 0x10);

        Assert.Contains(
            " in Lib.Writer.Write for a System.Threading.Monitor owned by thread 9, which spends 67 % of that time in Lib.Reader.Load); ",
            Assert.Single(Rules.Check(new LockScalingRule(), trace)).Text,
            StringComparison.Ordinal
        );
    }

    /// <summary>Three times as fast with four threads, although they wait an eighth of their time.</summary>
    [Fact]
    public void Threads_that_scale_all_the_same_are_fine() =>
        Assert.Empty(Rules.Check(new LockScalingRule(), Waiting(Trace(single: true, stop: 7667), 350), 4));

    /// <summary>4 threads on 2 processors can be 1.5 times as fast.</summary>
    [Fact]
    public void More_threads_than_processors_cannot_scale() =>
        Assert.Empty(Rules.Check(new LockScalingRule(), Waiting(Trace(single: true, stop: 10_333), 2000), 2));

    [Fact]
    public void Threads_that_do_not_scale_for_another_reason_are_not_the_fault_of_a_lock() =>
        Assert.Empty(Rules.Check(new LockScalingRule(), Waiting(Trace(single: true, stop: 13_000), 700), 4));

    [Theory]
    [InlineData(false, 4)] // no row of 1 thread
    [InlineData(true, 1)] // nothing can speed up
    public void Without_anything_to_compare_with_it_is_possible(bool single, int processors)
    {
        var finding = Assert.Single(Rules.Check(new LockScalingRule(), Waiting(Trace(single, stop: 13_000), 2000), processors));

        Assert.Equal(("lock-wait", FindingConfidence.Possible), (finding.Code, finding.Confidence));
        Assert.Contains(
            "Json Serialize x4 N=1000 (25 % of thread time waits, 8 ms of 4 threads for a lock)",
            finding.Text,
            StringComparison.Ordinal
        );
    }

    /// <summary>4 threads that take as long as 1 would be 4 times as fast on 2 processors.</summary>
    [Fact]
    public void Runs_of_a_fixed_time_tell_no_speed_up() =>
        Assert.Equal(
            "lock-wait",
            Assert.Single(Rules.Check(new LockScalingRule(), Waiting(Trace(single: true, stop: 7000), 1000), 2)).Code
        );

    [Fact]
    public void Waits_of_a_tenth_and_less_are_fine() =>
        Assert.Empty(Rules.Check(new LockScalingRule(), Waiting(Trace(single: false, stop: 13_000), 700)));

    [Fact]
    public void Waits_that_were_not_recorded_say_nothing() =>
        Assert.Empty(Rules.Check(new LockScalingRule(), new SyntheticTrace { Kinds = EventKinds.RunMarks }.Run(1, 1000, 3000)));

    [Fact]
    public void It_is_found_under_every_table_without_names()
    {
        var finding = Assert.Single(
            new LockScalingRule().Check(new FindingInput(Synthetic.Analyze(Waiting(Trace(single: true, stop: 13_000), 5000))))
        );

        Assert.Contains(
            "(1.00 times as fast with 4 threads, 20 ms of waits summed over threads); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal((2, "Json Serialize x4 N=1000"), (Assert.Single(finding.Locations).RunId!.Value, finding.Locations[0].What));
    }

    private static SyntheticTrace Trace(bool single, double stop)
    {
        var trace = new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Code(1, Monitor, "System.Threading.Monitor", "Enter", 1)
            .Code(1, Write, "Lib.Writer", "Write", 2);
        if (single)
            trace.Run(1, 1000, 3000);
        return trace.Run(2, 5000, stop, identity: SyntheticTrace.Identity(threads: Threads));
    }

    /// <summary>
    /// Six threads run for 10 ms, and each waits for 8 ms: 80 % of their time, and 480 % of the one thread that a program without marks
    /// seems to have.
    /// </summary>
    [Fact]
    public void All_that_wait_in_a_program_without_marks_are_summed_and_their_share_is_of_their_time()
    {
        var trace = new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Code(1, Monitor, "System.Threading.Monitor", "Enter", 1)
            .Code(1, Write, "Lib.Writer", "Write", 2)
            .Pause(1000, 1001)
            .Pause(9999, 10_000);
        for (var thread = 11; thread < 17; thread++)
        {
            for (var wait = 0; wait < 4; wait++)
                trace.Contention(1100 + (wait * 2000), 3100 + (wait * 2000), thread, 0xABC, 20 + wait, Monitor + 0x10, Write + 0x10);
        }

        var read = Rules.Check(new LockScalingRule(), trace);
        var unread = new LockScalingRule().Check(new FindingInput(Synthetic.Analyze(trace)));

        var finding = Assert.Single(read);
        Assert.Equal(("lock-wait", FindingConfidence.Certain), (finding.Code, finding.Confidence));
        Assert.StartsWith(
            "threads wait for locks: program Run (80 % of thread time waits, 48 ms of 6 threads in Lib.Writer.Write for a System.Threading.Monitor); esp-analyze locks FOLDER --by method ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal([80.0, 48.0], finding.Evidence.Select(figure => Math.Round(figure.Value, 3)));
        Assert.StartsWith(
            "threads wait for locks: program Run (48 ms of waits summed over threads); ",
            Assert.Single(unread).Text,
            StringComparison.Ordinal
        );
    }

    /// <summary>60 threads, each waiting 5 % of a ms of 10 ms, or 50 %: 3 and 30 ms are both more than a tenth of the wall time.</summary>
    [Theory]
    [InlineData(50, false)]
    [InlineData(500, true)]
    public void Many_threads_that_wait_a_little_are_not_a_finding(double microseconds, bool isOne)
    {
        var trace = new SyntheticTrace().Pause(1000, 1001).Pause(10_999, 11_000);
        for (var thread = 11; thread < 71; thread++)
            trace.Contention(1500 + thread, 1500 + thread + microseconds, thread, 0xABC, 20);

        Assert.Equal(isOne, Rules.Check(new LockScalingRule(), trace).Any(finding => finding.Code == "lock-wait"));
    }

    /// <summary>The waiting method is the platform's, called by one of the program's.</summary>
    [Fact]
    public void The_programs_method_is_named_below_one_of_the_platform()
    {
        var trace = new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Module("/usr/System.Collections.Concurrent.dll", 2)
            .Code(1, Write, "Lib.Writer", "Write", 2)
            .Code(1, 0x3000, "System.Collections.Concurrent.ConcurrentDictionary", "AddOrUpdate", 3, module: 2)
            .Pause(1000, 1001)
            .Pause(10_999, 11_000)
            .Contention(1500, 3500, 11, 0xABC, 20, 0x3010, Write + 0x10);

        Assert.Contains(
            "2 ms of 1 thread in System.Collections.Concurrent.ConcurrentDictionary.AddOrUpdate below Lib.Writer.Write for a lock owned by thread 20",
            Assert.Single(Rules.Check(new LockScalingRule(), trace)).Text,
            StringComparison.Ordinal
        );
    }

    /// <summary>Each thread waits once for this many µs.</summary>
    private static SyntheticTrace Waiting(SyntheticTrace trace, double microseconds)
    {
        for (var thread = 11; thread < 11 + Threads; thread++)
            trace.Contention(5100, 5100 + microseconds, thread);
        return trace;
    }
}
