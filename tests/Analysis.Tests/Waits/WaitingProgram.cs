using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests.Waits;

/// <summary>A made-up program without marks, with the methods in which threads wait.</summary>
internal static class WaitingProgram
{
    /// <summary>Address in the C library.</summary>
    public const ulong Libc = 0x7000_0010;

    /// <summary>Address in the runtime.</summary>
    public const ulong Coreclr = 0x7100_0010;

    /// <summary>Address in the code of each method.</summary>
    public static Dictionary<string, ulong> Code { get; } =
        new (string Type, string Name, long Module)[]
        {
            ("App.Cache", "GetOrAdd", 1),
            ("App.Program", "<Main>", 1),
            ("App.Program+<Main>d__0", "MoveNext", 1),
            ("App.Program", "Work", 1),
            ("System.Threading.Monitor", "Enter", 2),
            ("System.Threading.Monitor", "Wait", 2),
            ("System.Threading.ManualResetEventSlim", "Wait", 2),
            ("System.Threading.Tasks.Task", "InternalWait", 2),
            ("System.Threading.Thread", "Sleep", 2),
            ("System.Threading.Thread", "Join", 2),
            ("System.Threading.Thread", "StartCallback", 2),
            ("System.Threading.SemaphoreSlim", "Wait", 2),
            ("System.Runtime.CompilerServices.TaskAwaiter", "GetResult", 2),
            ("Interop+Sys", "Read", 2),
            ("System.IO.FileStream", "Read", 2),
            ("System.Console", "ReadLine", 2),
            ("System.Threading.PortableThreadPool+WorkerThread", "WorkerThreadStart", 2),
            ("System.Threading.ThreadPoolWorkQueue", "Dispatch", 2),
            ("System.Threading.LowLevelLifoSemaphore", "WaitNative", 2),
            ("System.Runtime.CompilerServices.ObjectHandleOnStack", "Create", 2),
        }
            .Select((method, index) => (method, index))
            .ToDictionary(item => $"{item.method.Type}.{item.method.Name}", item => 0x1000UL * (ulong)(item.index + 1));

    /// <summary>A program with its code; its events span 5 ms.</summary>
    public static SyntheticTrace Create(EventKinds kinds = EventKinds.All, EventDetails details = EventDetails.All)
    {
        var trace = new SyntheticTrace { Kinds = kinds, Details = details }
            .Module("/app/App.dll")
            .Module("/shared/System.Private.CoreLib.dll", 2)
            .Map(1, 0x7000_0000, "/lib/libc.so.6")
            .Map(1, 0x7100_0000, "/shared/libcoreclr.so");
        foreach (var (name, address) in Code)
        {
            var dot = name.LastIndexOf('.');
            trace.Code(
                1,
                address,
                name[..dot],
                name[(dot + 1)..],
                (long)address,
                module: name.StartsWith("App.", StringComparison.Ordinal) ? 1 : 2
            );
        }

        return trace.MethodLoad(1, 1).MethodLoad(5000, 2);
    }

    /// <summary>A thread is switched out to wait, and switched in again.</summary>
    public static void Wait(SyntheticTrace trace, double start, double stop, int thread, ulong[]? stack = null, int kernel = 0)
    {
        if (stack is not null)
            trace.SwitchOutStack(start - 1, thread, kernel, stack);
        trace.SwitchOut(start, thread).SwitchIn(stop, thread);
    }
}
