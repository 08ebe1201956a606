using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Finds wait reasons from stacks. Allocates for new symbols, not per stack.</summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class WaitFrames(SymbolResolver resolver)
{
    /// <summary>
    /// Functions of the C library and of the runtime's libSystem.Native that wait for data. Names of the C library are its exported ones
    /// (read, __read, __libc_read).
    /// </summary>
    private static readonly string[] s_io =
    [
        "read",
        "write",
        "pread",
        "pwrite",
        "pread64",
        "pwrite64",
        "readv",
        "writev",
        "preadv",
        "pwritev",
        "recv",
        "send",
        "recvfrom",
        "sendto",
        "recvmsg",
        "sendmsg",
        "connect",
        "accept",
        "accept4",
        "poll",
        "ppoll",
        "select",
        "epoll_wait",
        "epoll_pwait",
        "fsync",
        "fdatasync",
        "open",
        "open64",
        "openat",
        "openat64",
        "fstat64",
        "stat64",
        "lseek64",
        "ftruncate64",
        "flock",
        "wait4",
        "waitpid",
        "waitid",
        "sendfile",
        "sendfile64",
    ];

    /// <summary>Functions of the kernel that wait for data (fs, mm, net of Linux).</summary>
    private static readonly string[] s_kernelIo =
    [
        "io_schedule",
        "folio_wait",
        "wait_on_page",
        "pipe_read",
        "pipe_write",
        "anon_pipe_read",
        "anon_pipe_write",
        "sock_recvmsg",
        "sock_sendmsg",
        "inet_stream_connect",
        "tcp_",
        "unix_stream_",
        "do_poll",
        "ep_poll",
        "n_tty_read",
        "jbd2_",
        "filemap_",
    ];

    /// <summary>Types whose methods run threads that wait for work (System.Private.CoreLib, System.Net.Sockets).</summary>
    private static readonly string[] s_idleRoots =
    [
        "System.Threading.PortableThreadPool",
        "System.Threading.WindowsThreadPool",
        "System.Threading.TimerQueue",
        "System.Threading.LowLevelLifoSemaphore",
        "System.Net.Sockets.SocketAsyncEngine",
        "System.Threading.CompletionPortThreadPool",
    ];

    /// <summary>Methods in which a program waits for its user or its end.</summary>
    private static readonly string[] s_ends =
    [
        "System.Console.Read",
        "System.IO.StdInReader",
        "System.ConsolePal.Read",
        "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.",
        "Microsoft.AspNetCore.Builder.WebApplication.Run",
        "Microsoft.AspNetCore.Hosting.WebHostExtensions.",
    ];

    /// <summary>Threads with only runtime work (src/coreclr, src/libraries of dotnet/runtime); the kernel keeps 15 characters.</summary>
    private static readonly string[] s_runtimeThreads =
    [
        ".NET TP Gate",
        ".NET TP Wait",
        ".NET TP IO",
        ".NET Timer",
        ".NET Sockets",
        ".NET Tiered Com",
        ".NET Server GC",
        ".NET BGC",
        ".NET Finalizer",
        ".NET SynchManag",
        ".NET EventPipe",
        ".NET SigHandler",
        ".NET DebugPipe",
        ".NET Debugger",
        ".NET Counter Po",
        ".NET File Watch",
        ".NET Network Ad",
        "SGen worker",
    ];

    /// <summary>Name of the threads that run work items.</summary>
    public const string PoolWorker = ".NET TP Worker";

    /// <summary>Name of the thread that runs finalizers.</summary>
    public const string Finalizer = ".NET Finalizer";

    private readonly List<Frame> _frames = [];

    private enum Frame
    {
        Other,
        Program,
        Lock,
        Task,
        Signal,
        Join,
        Sleep,
        Io,
        Waiting,
        ThreadRoot,
        IdleRoot,
        WorkItem,
        End,
        AsyncMain,
        Kernel,
        KernelIo,
        NativeIo,
        Runtime,
        Host,
        Native,
    }

    /// <summary>Finds the reason of a wait.</summary>
    /// <param name="symbols">Symbol indexes of the stack, leaf first; empty when no stack was recorded.</param>
    /// <param name="isWhole">Whether the stack reaches the start of the thread.</param>
    /// <param name="thread">The thread's name; empty when unknown.</param>
    /// <param name="isWorkItem">Whether it runs a work item of the thread pool.</param>
    public WaitReason Of(ReadOnlySpan<int> symbols, bool isWhole, string thread, out bool isWorkItem)
    {
        isWorkItem = false;
        var (reason, isInWait, isIo, isRuntime, isDispatched) = (WaitReason.Unknown, true, false, false, false);
        var (isProgram, isIdleRoot, isEnd, isManaged, isNative, isHost, isThreadRoot) = (false, false, false, false, false, false, false);
        foreach (var symbol in symbols)
        {
            var frame = FrameOf(symbol);
            switch (frame)
            {
                case Frame.Kernel or Frame.KernelIo:
                    isIo |= frame == Frame.KernelIo;
                    continue;
                case Frame.NativeIo or Frame.Runtime or Frame.Host or Frame.Native:
                    // The leaf shows a library's reason. The runtime waits if managed code called it, or if it is the whole stack.
                    isIo |= frame == Frame.NativeIo && !isNative && !isManaged;
                    isRuntime |= frame == Frame.Runtime && !isManaged;
                    isHost |= frame == Frame.Host;
                    isNative = true;
                    continue;
                case Frame.IdleRoot:
                    isIdleRoot = true;
                    break;
                case Frame.WorkItem:
                    isDispatched = true;
                    break;
                case Frame.End or Frame.AsyncMain:
                    // The compiler-generated method of an async Main waits for it all the time.
                    isEnd |= frame == Frame.End || !isProgram;
                    isProgram |= frame == Frame.AsyncMain;
                    break;
                case Frame.Program:
                    isProgram = true;
                    break;
                case Frame.ThreadRoot:
                    isThreadRoot = true;
                    break;
            }

            isManaged = true;
            if (isInWait)
            {
                // The outermost frame counts: Task.Wait waits for an event, which takes a lock.
                (reason, isInWait) = frame switch
                {
                    Frame.Lock => (WaitReason.Lock, true),
                    Frame.Task => (WaitReason.Task, true),
                    Frame.Signal => (WaitReason.Signal, true),
                    Frame.Join => (WaitReason.Join, true),
                    Frame.Sleep => (WaitReason.Sleep, true),
                    Frame.Io => (WaitReason.Io, true),
                    Frame.Waiting => (reason, true),
                    _ => (reason, false),
                };
            }
        }

        // Finalizers belong to the program, so without a stack their thread may wait in one. Unnamed threads that never enter managed code
        // write the runtime's events.
        var isOfRuntime =
            !isProgram
            && (
                (IsOfRuntime(thread) && (symbols.Length > 0 || !thread.StartsWith(Finalizer, StringComparison.Ordinal)))
                || (isWhole && isRuntime && !isManaged && !isHost)
            );

        // A thread that the platform started, without program frames, waits for requests of the program (Kestrel's timer, a logger's
        // queue).
        var isService = reason == WaitReason.Signal && isThreadRoot && !isProgram && !isDispatched;
        if (isEnd || isOfRuntime || isService || (isIdleRoot && !isDispatched && !isProgram))
            return WaitReason.Idle;
        isWorkItem = isDispatched || thread.StartsWith(PoolWorker, StringComparison.Ordinal);
        if (reason != WaitReason.Unknown)
            return reason;
        return isIo ? WaitReason.Io
            : isRuntime && (isManaged || isHost) ? WaitReason.Runtime
            : WaitReason.Unknown;
    }

    /// <summary>Whether a thread has only runtime work, by its name.</summary>
    public static bool IsOfRuntime(string thread) =>
        Array.Exists(s_runtimeThreads, name => thread.StartsWith(name, StringComparison.Ordinal));

    private Frame FrameOf(int symbol)
    {
        while (_frames.Count <= symbol)
            _frames.Add(FrameOf(resolver.Symbols[_frames.Count]));
        return _frames[symbol];
    }

    private static Frame FrameOf(CodeSymbol symbol)
    {
        if (symbol.Kind == CodeKind.Kernel)
            return Array.Exists(s_kernelIo, name => symbol.Name.StartsWith(name, StringComparison.Ordinal)) ? Frame.KernelIo : Frame.Kernel;
        if (symbol.Kind != CodeKind.Managed)
            return OfNative(symbol);
        var type = symbol.TypeName;
        var method = symbol.Name.AsSpan(Math.Min(type.Length + 1, symbol.Name.Length));
        if (Array.Exists(s_ends, name => symbol.Name.StartsWith(name, StringComparison.Ordinal)))
            return Frame.End;
        if (OwnCode.IsIn(symbol) && !RuntimeFrames.IsWaiting(symbol))
            return method is "<Main>" ? Frame.AsyncMain : Frame.Program;
        if (type == "System.Threading.ThreadPoolWorkQueue" && method.StartsWith("Dispatch"))
            return Frame.WorkItem;
        if (Array.Exists(s_idleRoots, name => type.StartsWith(name, StringComparison.Ordinal)))
            return Frame.IdleRoot;
        return type switch
        {
            "System.Threading.Monitor" => method is "Wait" or "ObjWait" ? Frame.Signal : Frame.Lock,
            "System.Threading.Lock"
            or "System.Threading.ReaderWriterLockSlim"
            or "System.Threading.ReaderWriterLock"
            or "System.Threading.SpinLock" => Frame.Lock,
            "System.Threading.Thread" => method.StartsWith("StartCallback") ? Frame.ThreadRoot
            : method.StartsWith("Join") ? Frame.Join
            : method.StartsWith("Sleep") || method.StartsWith("UninterruptibleSleep") ? Frame.Sleep
            : Frame.Waiting,
            _ when IsTask(type) => Frame.Task,
            _ when type.StartsWith("System.Threading.", StringComparison.Ordinal) && IsSignal(type) => Frame.Signal,
            _ when type == "Interop+Sys" => method.StartsWith("LowLevelMonitor") || method.StartsWith("SchedYield")
                ? Frame.Waiting
                : Frame.Io,
            _ => RuntimeFrames.IsWaiting(symbol) ? Frame.Waiting : Frame.Other,
        };
    }

    private static bool IsTask(string type) =>
        type.StartsWith("System.Threading.Tasks.Task", StringComparison.Ordinal)
        || type.StartsWith("System.Threading.Tasks.ValueTask", StringComparison.Ordinal)
        || type.StartsWith("System.Runtime.CompilerServices.TaskAwaiter", StringComparison.Ordinal)
        || type.StartsWith("System.Runtime.CompilerServices.ValueTaskAwaiter", StringComparison.Ordinal)
        || type.StartsWith("System.Runtime.CompilerServices.ConfiguredTaskAwaitable", StringComparison.Ordinal);

    private static bool IsSignal(string type) =>
        type.EndsWith("Event", StringComparison.Ordinal)
        || type.EndsWith("EventSlim", StringComparison.Ordinal)
        || type
            is "System.Threading.WaitHandle"
                or "System.Threading.Semaphore"
                or "System.Threading.SemaphoreSlim"
                or "System.Threading.Mutex"
                or "System.Threading.Barrier"
                or "System.Threading.Condition"
                or "System.Threading.EventWaitHandle";

    private static Frame OfNative(CodeSymbol symbol)
    {
        if (symbol.Name.StartsWith("SystemNative_", StringComparison.Ordinal))
            return symbol.Name.StartsWith("SystemNative_LowLevelMonitor", StringComparison.Ordinal) ? Frame.Native : Frame.NativeIo;
        if (
            symbol.Module.StartsWith("libcoreclr", StringComparison.Ordinal)
            || symbol.Module.StartsWith("libclrjit", StringComparison.Ordinal)
            || symbol.Module.StartsWith("coreclr", StringComparison.Ordinal)
        )
            return Frame.Runtime;
        if (symbol.Module.StartsWith("libhost", StringComparison.Ordinal))
            return Frame.Host;
        if (
            !symbol.Module.StartsWith("libc.", StringComparison.Ordinal)
            && !symbol.Module.StartsWith("libc-", StringComparison.Ordinal)
            && !symbol.Module.StartsWith("ld-musl", StringComparison.Ordinal)
        )
            return Frame.Native;
        var name = symbol.Name.AsSpan();
        name = name.StartsWith("__libc_") ? name[7..] : name.TrimStart('_');
        foreach (var io in s_io)
        {
            if (name.SequenceEqual(io))
                return Frame.NativeIo;
        }

        return Frame.Native;
    }
}
