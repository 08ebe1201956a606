namespace EtwSerializerProfiler.Traces.Events;

/// <summary>What an <see cref="AsyncStep"/> means.</summary>
public enum AsyncStepKind
{
    /// <summary>An async method suspends for the first time and gets its task.</summary>
    Created,

    /// <summary>An async method awaits a task that has not completed.</summary>
    Awaits,

    /// <summary>A thread blocks until a task completes (Task.Wait, Task.Result).</summary>
    Blocks,

    /// <summary>A thread begins to execute a task: an async method continues after an await.</summary>
    Resumed,

    /// <summary>The thread ends the execution that it began last.</summary>
    Left,

    /// <summary>A task completed.</summary>
    Completed,

    /// <summary>A task of Task.WhenAll or Task.WhenAny was created.</summary>
    JoinCreated,

    /// <summary>A thread begins to run what waits for a completed task.</summary>
    Notifies,

    /// <summary>The thread ends what it began last with <see cref="Notifies"/>.</summary>
    Notified,

    /// <summary>A task of Task.WhenAll or Task.WhenAny was notified of a completed task: the one that the thread notifies of.</summary>
    Joined,
}

/// <summary>A step of an async method (<see cref="TaskProvider"/>); a view, valid during the call.</summary>
public readonly ref struct AsyncStep : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AsyncSteps;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The step.</summary>
    public required AsyncStepKind Kind { get; init; }

    /// <summary>
    /// Id of the task; of the awaited one for <see cref="AsyncStepKind.Awaits"/>; 0 for <see cref="AsyncStepKind.Left"/> and
    /// <see cref="AsyncStepKind.Notified"/>.
    /// </summary>
    public int TaskId { get; init; }

    /// <summary>For <see cref="AsyncStepKind.Awaits"/>: id of the awaiting method's task; 0 when unknown.</summary>
    public int AwaiterId { get; init; }

    /// <summary>
    /// For <see cref="AsyncStepKind.Created"/>: name of the compiler-generated type of the method, without namespace and containing types:
    /// <c>&lt;LoadAsync&gt;d__3</c>.
    /// </summary>
    public ReadOnlySpan<char> StateMachine { get; init; }
}

/// <summary>
/// Provider of <see cref="AsyncStep"/>: TplEventSource of dotnet/runtime, with the events of .NET 10.
/// </summary>
/// <remarks>
/// The keywords give, at level Informational, TaskWaitBegin (TaskTransfer: which method awaits which task), TraceOperationBegin and End
/// (AsyncCausalityOperation: the names), TraceOperationRelation (AsyncCausalityRelation: completions that WhenAll and WhenAny count),
/// TraceSynchronousWorkBegin and End (AsyncCausalitySynchronousWork: which method a thread runs, and which completion it reports).
/// Stacks are not needed, and cost six times as much as the events.
/// </remarks>
public static class TaskProvider
{
    /// <summary>Its name.</summary>
    public const string Name = "System.Threading.Tasks.TplEventSource";

    /// <summary>The keywords.</summary>
    public const ulong Keywords = 0x1 | 0x8 | 0x10 | 0x20;
}
