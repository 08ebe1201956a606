using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Stacks;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Threads;

/// <summary>Reads the threads of a process with their stacks.</summary>
/// <param name="session">The dump.</param>
/// <param name="stages">Notified before each step.</param>
internal sealed class ThreadReader(DumpSession session, DumpStages stages)
{
    /// <summary>Maximum frames of a stack; a stack overflow has about 10,000.</summary>
    private const int MaxFrames = 20_000;

    private readonly FrameReader _frames = new();

    /// <summary>Reads all threads, ordered by number.</summary>
    public IReadOnlyList<DumpThread> Read()
    {
        var names = Names();
        var exceptions = new ExceptionReader(session, _frames);
        var threads = new List<DumpThread>();
        foreach (
            var thread in session
                .Runtime.Threads.Where(thread => thread.IsAlive || thread.OSThreadId != 0)
                .OrderBy(thread => thread.ManagedThreadId)
        )
        {
            stages.Token.ThrowIfCancellationRequested();
            var frames = new List<DumpFrame>();
            var problem = Contained(StageOf("stack", thread), () => Walk(thread, frames));
            ExceptionObject? current = null;
            Contained(StageOf("exception", thread), () => current = thread.CurrentException is { } thrown ? exceptions.Read(thrown) : null);
            threads.Add(
                new DumpThread(thread.ManagedThreadId, thread.OSThreadId)
                {
                    Name = names.GetValueOrDefault(thread.ManagedThreadId, ""),
                    Role = RoleOf(thread),
                    IsCooperative = thread.GCMode == GCMode.Cooperative,
                    Frames = frames,
                    Problem = problem,
                    Exception = current,
                    Address = thread.Address,
                    StackBase = thread.StackBase,
                }
            );
        }

        return threads;
    }

    /// <summary>Reads exceptions with the same frames.</summary>
    public ExceptionReader Exceptions => new(session, _frames);

    private static string StageOf(string what, ClrThread thread) =>
        FormattableString.Invariant($"{what} of thread {thread.ManagedThreadId}");

    private string Walk(ClrThread thread, List<DumpFrame> frames)
    {
        var read = 0;
        foreach (var frame in thread.EnumerateStackTrace(includeContext: false, MaxFrames))
        {
            if (_frames.Read(frame) is { } known)
                frames.Add(known);
            if (++read >= MaxFrames)
                return FormattableString.Invariant($"more than {MaxFrames} frames");
        }

        if (frames.TrueForAll(frame => frame.Method == DumpFrame.Unnamed))
            frames.Clear(); // a thread of the runtime's own
        return "";
    }

    /// <summary>Runs a step and returns its problem, or the reason that stopped it.</summary>
    private string Contained(string stage, Func<string> step)
    {
        if (!stages.Enter(stage))
            return stages.ReasonOf(stage);
        try
        {
            return step();
        }
        // Damaged memory can make ClrMD throw anything.
        catch (Exception exception) when (exception is not (OutOfMemoryException or OperationCanceledException))
        {
            return DumpSession.OneLine(exception);
        }
    }

    private void Contained(string stage, Action step) =>
        Contained(
            stage,
            () =>
            {
                step();
                return "";
            }
        );

    private static string RoleOf(ClrThread thread) =>
        thread.IsFinalizer ? "finalizer"
        : thread.IsGc ? "collector"
        : (thread.State & (ClrThreadState.TS_TPWorkerThread | ClrThreadState.TS_CompletionPortThread)) != 0 ? "thread pool"
        : (thread.State & ClrThreadState.TS_Background) != 0 ? "background"
        : "";

    /// <summary>Names by number; the runtime holds the object of each thread by a handle.</summary>
    private Dictionary<int, string> Names()
    {
        var names = new Dictionary<int, string>();
        Contained(
            "names of threads",
            () =>
            {
                foreach (var handle in session.Runtime.EnumerateHandles())
                {
                    if (handle.Object.Type?.Name != "System.Threading.Thread")
                        continue;
                    if (
                        (
                            handle.Object.TryReadField<int>("_managedThreadId", out var number)
                            || handle.Object.TryReadField("m_ManagedThreadId", out number)
                        )
                        && (
                            handle.Object.TryReadStringField("_name", 256, out var name)
                            || handle.Object.TryReadStringField("m_Name", 256, out name)
                        )
                        && name is { Length: > 0 }
                    )
                        names[number] = name;
                }
            }
        );
        return names;
    }
}
