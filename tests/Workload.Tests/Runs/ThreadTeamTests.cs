using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class ThreadTeamTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(16)]
    public void Every_operation_runs_once_a_round_on_a_thread_of_its_own(int size)
    {
        var calls = new int[size];
        var threads = new int[size];
        using (
            var team = new ThreadTeam([
                .. Enumerable
                    .Range(0, size)
                    .Select(index =>
                        (Func<long>)(
                            () =>
                            {
                                calls[index]++;
                                threads[index] = Environment.CurrentManagedThreadId;
                                return 100 + index;
                            }
                        )
                    ),
            ])
        )
        {
            for (var round = 1; round <= 200; round++)
            {
                team.WaitUntilReady();
                Assert.All(calls, count => Assert.Equal(round - 1, count)); // no thread began before the round did
                Assert.Equal(100, team.Run());
                Assert.All(calls, count => Assert.Equal(round, count));
            }
        }

        Assert.Equal(Environment.CurrentManagedThreadId, threads[0]);
        Assert.Equal(size, threads.Distinct().Count());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void A_round_ends_when_all_have_ended_also_when_one_throws(int thrower)
    {
        var ended = 0;
        using var go = new ManualResetEventSlim();
        using var team = new ThreadTeam([
            .. Enumerable
                .Range(0, 3)
                .Select(index =>
                    (Func<long>)(
                        () =>
                        {
                            if (index == thrower)
                            {
                                go.Set();
                                throw new InvalidDataException($"number {index}");
                            }

                            go.Wait();
                            Thread.Sleep(20); // so that a round that does not wait for it has ended before: the test then always fails
                            Interlocked.Increment(ref ended);
                            return 0;
                        }
                    )
                ),
        ]);
        for (var round = 1; round <= 3; round++)
        {
            go.Reset();
            team.WaitUntilReady();
            Assert.Equal($"number {thrower}", Assert.Throws<InvalidDataException>(() => team.Run()).Message);
            Assert.Equal(2 * round, ended);
        }
    }

    [Fact]
    public void A_team_that_never_ran_can_be_ended()
    {
        new ThreadTeam([() => 1, () => 2]).Dispose();
        Assert.Throws<ArgumentOutOfRangeException>(() => new ThreadTeam([]));
    }
}
