using EtwSerializerProfiler.Analysis.Locks;

namespace EtwSerializerProfiler.Analysis.Tests.Locks;

/// <summary>Who owned a lock while others waited, by the events of the waits.</summary>
public sealed class LockOwnersTests
{
    private const ulong A = 0xA;
    private const ulong B = 0xB;
    private const int Load = 1;
    private const int Save = 2;

    private readonly LockOwners<int> _owners = new();

    [Fact]
    public void The_thread_whose_wait_ended_is_the_next_owner()
    {
        _owners.Begin(A, owner: 9, waiter: 10, Load, 0);
        _owners.Begin(A, owner: 9, waiter: 11, Save, 20);
        _owners.End(10, 100);
        _owners.End(11, 150);

        Assert.Equal([(Load, 100), (Save, 80)], _owners.Overlaps(9, 0, 1000));
        Assert.Equal([(Save, 50L)], _owners.Overlaps(10, 0, 1000));
        Assert.Equal((100, 130), (_owners.TicksOf(Load), _owners.TicksOf(Save)));
        Assert.Equal((true, false), (_owners.HasOwned(9), _owners.HasOwned(11)));
    }

    /// <summary>Thread 30 took the lock between a release and the end of a wait.</summary>
    [Fact]
    public void A_later_wait_names_an_owner_that_never_waited()
    {
        _owners.Begin(A, owner: 9, waiter: 10, Load, 0);
        _owners.Begin(A, owner: 30, waiter: 11, Load, 60);
        _owners.End(10, 100);

        Assert.Equal([(Load, 60L)], _owners.Overlaps(9, 0, 1000));
        Assert.Equal([(Load, 40L)], _owners.Overlaps(30, 0, 1000));
    }

    /// <summary>Two threads wait in one place for two locks of one thread: its time counts once.</summary>
    [Fact]
    public void Time_of_an_owner_counts_once_for_all_that_wait_in_a_place()
    {
        _owners.Begin(A, owner: 9, waiter: 10, Load, 0);
        _owners.Begin(B, owner: 9, waiter: 11, Load, 10);
        _owners.Begin(B, owner: 9, waiter: 12, Load, 20);
        _owners.End(11, 50);
        _owners.End(10, 80);

        Assert.Equal([(Load, 80L)], _owners.Overlaps(9, 0, 1000));
        Assert.Equal([(Load, 15L)], _owners.Overlaps(9, 65, 1000));
        Assert.Equal([(Load, 0L)], _owners.Overlaps(9, 65, 65));
        Assert.Empty(_owners.Overlaps(9, 81, 1000));
    }

    /// <summary>After a lost end the thread waits for another lock, and no longer for the first one.</summary>
    [Fact]
    public void A_wait_whose_end_was_lost_ends_with_the_next_one()
    {
        _owners.Begin(A, owner: 9, waiter: 10, Load, 0);
        _owners.Begin(B, owner: 8, waiter: 10, Save, 50);
        _owners.End(10, 60);
        _owners.Begin(A, owner: 7, waiter: 11, Save, 70);
        _owners.End(11, 90);
        _owners.End(12, 95);

        Assert.False(_owners.HasOwned(9));
        Assert.Equal([(Save, 10L)], _owners.Overlaps(8, 0, 1000));
        Assert.Equal([(Save, 20L)], _owners.Overlaps(7, 0, 1000));
    }

    [Fact]
    public void Without_lock_or_owner_nothing_is_known()
    {
        _owners.Begin(0, owner: 9, waiter: 10, Load, 0);
        _owners.Begin(A, owner: 0, waiter: 11, Load, 0);
        _owners.End(10, 50);
        _owners.End(11, 50);

        Assert.Equal((0, false, false), (_owners.TicksOf(Load), _owners.HasOwned(9), _owners.HasOwned(0)));
    }
}
