using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Runs operations at the same time: the first one on the calling thread, each of the others on a thread that exists and waits before.</summary>
/// <remarks>
/// The waits are those of kernel events, not of monitors: a monitor's would be counted among the locks of the run. Between its begin and end a round
/// allocates nothing.
/// </remarks>
public sealed class ThreadTeam : IDisposable
{
    private readonly IReadOnlyList<Func<long>> _operations;
    private readonly Thread[] _members;

    /// <summary>What the operation of each thread threw in this round.</summary>
    private readonly Exception?[] _failures;

    /// <summary>Set to begin a round: one for the odd rounds and one for the even ones, so that no thread can take part in a round twice.</summary>
    private readonly ManualResetEvent[] _begin = [new(false), new(false)];

    /// <summary>Set by the last member that is done.</summary>
    private readonly AutoResetEvent _done = new(false);

    /// <summary>Members that are not done with the round.</summary>
    private int _running;

    /// <summary>Rounds so far.</summary>
    private int _rounds;

    /// <summary>Tells the members to end.</summary>
    private volatile bool _isOver;

    /// <summary>Starts the threads; returns at once, see <see cref="WaitUntilReady"/>.</summary>
    /// <param name="operations">One a thread, at least one.</param>
    public ThreadTeam(IReadOnlyList<Func<long>> operations)
    {
        ArgumentNullException.ThrowIfNull(operations);
        ArgumentOutOfRangeException.ThrowIfZero(operations.Count);
        _operations = operations;
        _failures = new Exception?[operations.Count];
        _members = new Thread[operations.Count - 1];
        for (var member = 0; member < _members.Length; member++)
        {
            var index = member + 1;
            _members[member] = new Thread(() => Take(index)) { Name = TeamThread.NamePrefix + index.ToString(System.Globalization.CultureInfo.InvariantCulture), IsBackground = true };
            _members[member].Start();
        }
    }

    /// <summary>Returns when every member waits for the next round.</summary>
    public void WaitUntilReady()
    {
        _begin[(_rounds + 1) % 2].Reset(); // of the round before: no member waits for it any more
        foreach (var member in _members)
        {
            while ((member.ThreadState & ThreadState.WaitSleepJoin) == 0)
                Thread.Sleep(0);
        }
    }

    /// <summary>Runs one round: all operations once. <see cref="WaitUntilReady"/> comes before each.</summary>
    /// <returns>What the first operation returned.</returns>
    public long Run()
    {
        _running = _members.Length;
        _begin[_rounds % 2].Set();
        _rounds++;
        var result = Call(0);
        if (_members.Length > 0)
            _done.WaitOne();
        foreach (var failure in _failures)
        {
            if (failure is not null)
                ExceptionDispatchInfo.Capture(failure).Throw();
        }

        return result;
    }

    /// <summary>Ends the members, which must not be in a round.</summary>
    public void Dispose()
    {
        _isOver = true;
        foreach (var begin in _begin)
            begin.Set();
        foreach (var member in _members)
            member.Join();
        foreach (var begin in _begin)
            begin.Dispose();
        _done.Dispose();
    }

    private void Take(int index)
    {
        for (var round = 0; ; round++)
        {
            _begin[round % 2].WaitOne();
            if (_isOver)
                return;
            Call(index);
            if (Interlocked.Decrement(ref _running) == 0)
                _done.Set();
        }
    }

    private long Call(int index)
    {
        _failures[index] = null;
        try
        {
            return _operations[index]();
        }
#pragma warning disable CA1031 // whatever a serializer throws is the run's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _failures[index] = exception;
            return -1;
        }
    }
}
