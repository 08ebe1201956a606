using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Looks at the descriptors, mappings and threads of this whole process, so no other test of the assembly may record beside it.
/// </summary>
[CollectionDefinition(nameof(PerfEventRemainsTests), DisableParallelization = true)]
[Collection(nameof(PerfEventRemainsTests))]
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class PerfEventRemainsTests
{
    [Fact]
    public void Stopping_leaves_no_event_ring_or_thread_behind()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        for (var round = 0; round < 5; round++)
        {
            using var recording = new PerfRecordingFixture();
            recording.Record(PerfEventPlan.Create(PerfEventScope.Launch), "plain");
        }

        Assert.DoesNotContain(
            Directory.GetFiles("/proc/self/fd").Select(Target),
            target => target.Contains("perf_event", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(File.ReadLines("/proc/self/maps"), line => line.Contains("perf_event", StringComparison.Ordinal));
        Assert.DoesNotContain(
            Directory.GetDirectories("/proc/self/task").Select(task => File.ReadAllText(task + "/comm").Trim()),
            name => name == "perf rings"
        );

        static string Target(string link)
        {
            try
            {
                return new FileInfo(link).LinkTarget ?? "";
            }
            catch (IOException)
            {
                return "";
            }
        }
    }
}
