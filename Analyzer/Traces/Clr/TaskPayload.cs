using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Events of <see cref="TaskProvider"/>; ids and fields of TplEventSource.cs of dotnet/runtime.</summary>
internal static class TaskPayload
{
    public static readonly Guid Provider = new("2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5");

    private const int TaskWaitBegin = 10;
    private const int TraceOperationBegin = 14;
    private const int TraceOperationEnd = 15;
    private const int TraceOperationRelation = 16;
    private const int TraceSynchronousWorkBegin = 17;
    private const int TraceSynchronousWorkEnd = 18;

    /// <summary>TaskWaitBehavior.Asynchronous.</summary>
    private const int Asynchronous = 2;

    /// <summary>CausalitySynchronousWork.CompletionNotification: what waits for the task is run or scheduled.</summary>
    private const int CompletionNotification = 0;

    /// <summary>CausalitySynchronousWork.Execution.</summary>
    private const int Execution = 2;

    /// <summary>CausalityRelation.Join and Choice: a completion counts for WhenAll, for WhenAny.</summary>
    private const int Join = 1;
    private const int Choice = 2;

    /// <summary>Prefix of the operations that are async methods (AsyncMethodBuilderCore.LogTraceOperationBegin).</summary>
    private const string AsyncMethod = "Async: ";

    /// <summary>Publishes the event's step, if it is one.</summary>
    public static void Dispatch(EventHub hub, int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        switch (id)
        {
            case TaskWaitBegin when payload.Length >= 20:
                var awaits = Int32(payload, 12) == Asynchronous;
                Publish(
                    at,
                    awaits ? AsyncStepKind.Awaits : AsyncStepKind.Blocks,
                    Int32(payload, 8),
                    awaiter: awaits ? Int32(payload, 16) : 0
                );
                break;
            case TraceOperationBegin when payload.Length >= 4 && NameOf(payload[4..]) is var name && name.StartsWith(AsyncMethod):
                Publish(at, AsyncStepKind.Created, Int32(payload, 0), stateMachine: name[AsyncMethod.Length..]);
                break;
            case TraceOperationBegin when payload.Length >= 4 && IsJoin(NameOf(payload[4..])):
                Publish(at, AsyncStepKind.JoinCreated, Int32(payload, 0));
                break;
            case TraceOperationEnd when payload.Length >= 4:
                Publish(at, AsyncStepKind.Completed, Int32(payload, 0));
                break;
            case TraceOperationRelation when payload.Length >= 8 && Int32(payload, 4) is Join or Choice:
                Publish(at, AsyncStepKind.Joined, Int32(payload, 0));
                break;
            case TraceSynchronousWorkBegin when payload.Length >= 8 && Int32(payload, 4) is Execution or CompletionNotification:
                Publish(at, Int32(payload, 4) == Execution ? AsyncStepKind.Resumed : AsyncStepKind.Notifies, Int32(payload, 0));
                break;
            case TraceSynchronousWorkEnd when payload.Length >= 4 && Int32(payload, 0) is Execution or CompletionNotification:
                Publish(at, Int32(payload, 0) == Execution ? AsyncStepKind.Left : AsyncStepKind.Notified, task: 0);
                break;
        }

        void Publish(in EventAt at, AsyncStepKind kind, int task, int awaiter = 0, ReadOnlySpan<char> stateMachine = default) =>
            hub.Publish(
                new AsyncStep
                {
                    At = at,
                    Kind = kind,
                    TaskId = task,
                    AwaiterId = awaiter,
                    StateMachine = stateMachine,
                }
            );
    }

    /// <summary>Operations that are tasks of Task.WhenAll and Task.WhenAny; the last one is WhenAny of three and more.</summary>
    private static bool IsJoin(ReadOnlySpan<char> operation) =>
        operation is "Task.WhenAll" or "Task.WhenAny" or "TaskFactory.ContinueWhenAny";

    /// <summary>UTF-16 up to its null; empty without one.</summary>
    private static ReadOnlySpan<char> NameOf(ReadOnlySpan<byte> rest)
    {
        var text = MemoryMarshal.Cast<byte, char>(rest);
        return text.IndexOf('\0') is >= 0 and var end ? text[..end] : default;
    }

    private static int Int32(ReadOnlySpan<byte> payload, int offset) => BinaryPrimitives.ReadInt32LittleEndian(payload[offset..]);
}
