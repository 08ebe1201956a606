using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Runs operations at the same time: the first one on the calling thread, each other one on an existing, waiting thread.</summary>
/// <remarks>
/// Uses waits of kernel events instead of monitors, which would count as locks of the run. Between its start and end, a round
/// allocates nothing.
/// </remarks>
public sealed class ThreadTeam : IDisposable
{
    private readonly IReadOnlyList<Func<long>> _operations;
    private readonly Thread[] _members;

    /// <summary>Exception of each thread's operation in this round.</summary>
    private readonly Exception?[] _failures;

    /// <summary>Starts a round: one event for odd rounds and one for even ones, so that no thread can take part in a round twice.</summary>
    private readonly ManualResetEvent[] _begin = [new(false), new(false)];

    /// <summary>Set by the last member that finishes.</summary>
    private readonly AutoResetEvent _done = new(false);

    /// <summary>Number of members that have not finished the round.</summary>
    private int _running;

    /// <summary>Number of rounds.</summary>
    private int _rounds;

    private volatile bool _isOver;

    /// <summary>Starts the threads and returns at once; see <see cref="WaitUntilReady"/>.</summary>
    /// <param name="operations">One per thread; at least one.</param>
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
            _members[member] = new Thread(() => Take(index))
            {
                Name = TeamThread.NamePrefix + index.ToString(System.Globalization.CultureInfo.InvariantCulture),
                IsBackground = true,
            };
            _members[member].Start();
        }
    }

    /// <summary>Returns when every member waits for the next round.</summary>
    public void WaitUntilReady()
    {
        _begin[(_rounds + 1) % 2].Reset(); // event of the previous round: no member waits for it any more
        foreach (var member in _members)
        {
            while ((member.ThreadState & ThreadState.WaitSleepJoin) == 0)
                Thread.Sleep(0);
        }
    }

    /// <summary>Runs one round: all operations once. Call <see cref="WaitUntilReady"/> before each.</summary>
    /// <returns>Result of the first operation.</returns>
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
#pragma warning disable CA1031 // any exception of a serializer is the run's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _failures[index] = exception;
            return -1;
        }
    }
}
