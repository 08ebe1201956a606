using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.DumpHook;

/// <summary>Holds a thread until the recorder has the dump, has ended, or takes too long.</summary>
internal static class HeldThread
{
    /// <summary>Maximum time of one poll of the socket; a recorder that has ended is noticed at once.</summary>
    private const int LookMicroseconds = 200_000;

    /// <summary>Id of this process.</summary>
    public static int ProcessId
    {
        get
        {
            using var process = Process.GetCurrentProcess();
            return process.Id;
        }
    }

    /// <summary>The operating system's id of this thread; 0 when unknown.</summary>
    public static long ThreadId
    {
        get
        {
            try
            {
                return RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? GetCurrentThreadId()
                    : RuntimeInformation.IsOSPlatform(OSPlatform.Linux) ? GetThreadId()
                    : 0;
            }
            catch (EntryPointNotFoundException)
            {
                return 0; // the C library is older than the function
            }
        }
    }

    /// <summary>Sends the request and waits for the answer, the end of the connection, or the time limit.</summary>
    /// <exception cref="SocketException">The recorder has ended.</exception>
    public static void Hold(HookSettings settings, HookRequest request)
    {
        var clock = Stopwatch.StartNew();
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(settings.Socket));
        socket.Send(request.ToBytes());
        while (clock.Elapsed < settings.HoldLimit)
        {
            if (!socket.Poll(LookMicroseconds, SelectMode.SelectRead))
                continue;
            var answer = new byte[1];
            if (socket.Receive(answer) == 1 && answer[0] == HookRequest.Release)
                socket.Send(new[] { HookRequest.WasHeld });
            return;
        }
    }

    [DllImport("libc", EntryPoint = "gettid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetThreadId();

    [DllImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern uint GetCurrentThreadId();
}
