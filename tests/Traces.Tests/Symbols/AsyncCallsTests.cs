using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Async;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>Which async method a thread continues and which one awaits it, by made-up events of the task library.</summary>
public sealed class AsyncCallsTests
{
    private const int Asynchronous = 2;
    private const int Synchronous = 1;
    private const int Join = 1;
    private const int Choice = 2;
    private static readonly Guid s_tasks = new("2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5");
    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

    private readonly AsyncCalls _calls = new();

    [Fact]
    public void A_continued_call_has_the_callers_that_await_it()
    {
        Created(1, 3, "<C>d__2");
        Resumed(2, thread: 7, task: 3);
        Created(3, 2, "<B>d__1"); // C continues before B awaits it
        Awaits(4, 3, 2);
        Created(5, 1, "<A>d__0");
        Awaits(6, 2, 1);
        Left(9, thread: 7);

        var call = _calls.At(7, 2);
        Assert.Equal(["<C>d__2", "<B>d__1", "<A>d__0"], Chain(call));
        Assert.Equal((AsyncCalls.None, AsyncCalls.None, AsyncCalls.None), (_calls.At(7, 1), _calls.At(7, 9), _calls.At(8, 2)));
    }

    [Fact]
    public void A_continuation_inside_another_one_gives_the_thread_back()
    {
        Created(1, 1, "<A>d__0");
        Created(1, 2, "<B>d__1");
        Resumed(2, 7, 2);
        Resumed(4, 7, 1);
        Left(6, 7);
        Left(8, 7);

        Assert.Equal(["<B>d__1", "<A>d__0", "<B>d__1"], new long[] { 3, 5, 7 }.Select(time => _calls.StateMachine(_calls.At(7, time))));
        Assert.Equal(AsyncCalls.None, _calls.At(7, 8));
    }

    [Fact]
    public void A_call_that_two_methods_await_has_no_caller()
    {
        Created(1, 1, "<A1>d__0");
        Created(1, 2, "<A2>d__1");
        Created(1, 3, "<C>d__2");
        Awaits(2, 3, 1);
        Awaits(3, 3, 2);
        Created(4, 4, "<D>d__3");
        Awaits(5, 4, 1);
        Awaits(5, 4, 1);
        Blocks(6, 1);
        Awaits(7, 2, 99); // of an async method that is not known
        Resumed(8, 7, 3);
        Resumed(9, 8, 4);
        Resumed(9, 9, 2);

        Assert.Equal(AsyncCalls.Unknown, _calls.AwaiterOf(_calls.At(7, 8)));
        Assert.Equal(["<D>d__3", "<A1>d__0"], Chain(_calls.At(8, 9)));
        Assert.Equal(AsyncCalls.Unknown, _calls.AwaiterOf(_calls.At(9, 9)));
    }

    [Fact]
    public void A_call_that_WhenAll_counts_has_the_caller_that_awaits_WhenAll()
    {
        Created(1, 1, "<A>d__0");
        Created(1, 2, "<B>d__1");
        Created(1, 3, "<Lost>d__2");
        Dispatch(2, 14, Operation(4, "Task.WhenAll"), 5);
        Dispatch(2, 14, Operation(5, "TaskFactory.ContinueWhenAny"), 5); // counts the task of WhenAll
        Awaits(3, 5, 1);
        Resumed(4, 7, 2);
        Completed(5, 2);
        Notifies(6, 7, 2);
        Relation(7, 7, 4, Join);
        Notifies(7, 7, 4);
        Relation(7, 7, 5, Choice);
        Notified(8, 7);
        Notified(8, 7);
        Left(9, 7);
        Resumed(10, 7, 3);
        Relation(11, 7, 4, Join); // of a task that had completed before: the thread notifies of none
        Left(12, 7);

        Assert.Equal(["<B>d__1", "<A>d__0"], Chain(_calls.At(7, 4)));
        Assert.Equal(AsyncCalls.None, _calls.AwaiterOf(_calls.At(7, 10)));
        _calls.Gaps = [new EventGap(6, 6, 5)];
        Assert.Equal(AsyncCalls.Unknown, _calls.AwaiterOf(1));
    }

    [Theory]
    [InlineData(false, AsyncCalls.None)]
    [InlineData(true, 0)]
    public void WhenAll_created_while_a_thread_notifies_counts_tasks_that_completed_before(bool isCreatedBefore, int awaiter)
    {
        Created(1, 1, "<A>d__0");
        Created(1, 2, "<B>d__1");
        if (isCreatedBefore)
            Dispatch(2, 14, Operation(4, "Task.WhenAll"), 7);
        Awaits(3, 4, 1);
        Notifies(4, 7, 2);
        if (!isCreatedBefore)
            Dispatch(5, 14, Operation(4, "Task.WhenAll"), 7);
        Relation(6, 7, 4, Join);
        Notified(8, 7);

        Assert.Equal(awaiter, _calls.AwaiterOf(1));
    }

    [Fact]
    public void A_relation_inside_a_continuation_is_not_of_the_task_that_completed()
    {
        Created(1, 1, "<A>d__0");
        Created(1, 2, "<B>d__1");
        Dispatch(2, 14, Operation(4, "Task.WhenAll"), 5);
        Awaits(3, 4, 1);
        Notifies(4, 7, 2);
        Dispatch(5, 17, Numbers(1, 2), 7); // continues another method, which ends with an exception
        Relation(6, 7, 4, Join);
        Notified(7, 7);
        Relation(8, 7, 4, Join);

        Assert.Equal(AsyncCalls.None, _calls.AwaiterOf(1));
    }

    [Fact]
    public void A_continuation_that_began_before_events_were_lost_is_not_known_after()
    {
        Created(1, 1, "<A>d__0");
        Resumed(2, 7, 1);
        Resumed(20, 8, 1);
        _calls.Gaps = [new EventGap(10, 12, 5)];

        Assert.Equal((0, AsyncCalls.None, 0), (_calls.At(7, 9), _calls.At(7, 30), _calls.At(8, 30)));
    }

    [Fact]
    public void A_damaged_event_and_other_operations_are_ignored()
    {
        Dispatch(1, 14, [1, 0, 0, 0, 65, 0], 7);
        Dispatch(1, 14, Operation(1, "Task.Delay"), 7);
        Dispatch(1, 17, [1, 0, 0], 7);
        Left(2, 7);

        Assert.False(_calls.Any);
        Assert.Equal(AsyncCalls.None, _calls.At(7, 3));
    }

    [Fact]
    public void A_name_that_two_types_have_names_no_method()
    {
        var methods = new ManagedCodeMap();
        Load(methods, 1, 0x1000, "One+<Same>d__1");
        Load(methods, 2, 0x2000, "Two+<Same>d__1");
        Load(methods, 3, 0x3000, "One+<Other>d__2");
        Load(methods, 4, 0x4000, "List`1+<Generic>d__3`1[System.Int32,System.__Canon]");
        Load(methods, 5, 0x5000, "List`1+<Generic>d__3`1[System.Int64,System.__Canon]");
        var resolver = new SymbolResolver(1, methods, new ProcessLayout(), new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero));

        Assert.Null(resolver.Resolve("<Same>d__1"));
        Assert.Null(resolver.Resolve("<Missing>d__1"));
        var other = resolver.Resolve("<Other>d__2")!.Value;
        Assert.Equal(("One+<Other>d__2.MoveNext", 3), (resolver.Symbols[other].Name, resolver.Symbols[other].MethodId));
        Assert.Equal(resolver.Resolve(0x3000, 10, isKernel: false), other);
        Assert.True(resolver.IsOf("<Other>d__2", other));
        Assert.False(resolver.IsOf("<Same>d__1", other));
        Assert.Equal("List`1+<Generic>d__3`1.MoveNext", resolver.Symbols[resolver.Resolve("<Generic>d__3`1")!.Value].Name);
    }

    private List<string> Chain(int call)
    {
        var names = new List<string>();
        for (; call >= 0; call = _calls.AwaiterOf(call))
            names.Add(_calls.StateMachine(call));
        return names;
    }

    private static void Load(ManagedCodeMap map, long method, ulong start, string type) =>
        new ClrEventDispatcher(EventHub.Of(map)).Dispatch(
            s_runtime,
            143,
            new EventAt(5, 1, 1),
            InlineBytes.Load(method, 1, start, 0x100, type, "MoveNext", (int)method)
        );

    private void Created(long time, int task, string name) => Dispatch(time, 14, Operation(task, "Async: " + name), 1);

    private void Awaits(long time, int task, int awaiter) => Dispatch(time, 10, Numbers(1, 0, task, Asynchronous, awaiter), 1);

    private void Blocks(long time, int task) => Dispatch(time, 10, Numbers(1, 0, task, Synchronous, 0), 1);

    /// <summary>Its last number: the thread executes the task's code, and not its completion.</summary>
    private void Resumed(long time, long thread, int task)
    {
        Dispatch(time, 17, Numbers(task, 0), thread);
        Dispatch(time, 17, Numbers(task, 2), thread);
    }

    private void Left(long time, long thread)
    {
        Dispatch(time, 18, Numbers(2), thread);
        Dispatch(time, 18, Numbers(0), thread);
    }

    private void Completed(long time, int task) => Dispatch(time, 15, Numbers(task, 1), 1);

    private void Notifies(long time, long thread, int task) => Dispatch(time, 17, Numbers(task, 0), thread);

    private void Notified(long time, long thread) => Dispatch(time, 18, Numbers(0), thread);

    private void Relation(long time, long thread, int task, int relation) => Dispatch(time, 16, Numbers(task, relation), thread);

    private static byte[] Operation(int task, string name) => [.. Numbers(task), .. Encoding.Unicode.GetBytes(name + "\0"), .. new byte[8]];

    private static byte[] Numbers(params int[] numbers)
    {
        var bytes = new byte[4 * numbers.Length];
        for (var i = 0; i < numbers.Length; i++)
            BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4 * i), numbers[i]);
        return bytes;
    }

    private void Dispatch(long time, int id, byte[] payload, long thread) =>
        new ClrEventDispatcher(EventHub.Of(_calls)).Dispatch(s_tasks, id, new EventAt(time, 1, thread), payload);
}
