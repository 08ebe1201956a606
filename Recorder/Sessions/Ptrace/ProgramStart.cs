using System.ComponentModel;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// Starts the program as a child of the calling thread. Does not use <see cref="System.Diagnostics.Process"/>, whose SIGCHLD handler would
/// reap the program and consume ptrace's notifications.
/// </summary>
internal static unsafe class ProgramStart
{
    /// <summary>POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK.</summary>
    private const short Flags = 0x4 | 0x8;

    /// <summary>A posix_spawnattr_t has 336 bytes in glibc and musl.</summary>
    private const int AttributeBytes = 1024;

    /// <summary>
    /// The terminal's signals are for the program, and the sampler ends with it, so it ignores them. Those that were ignored before (nohup)
    /// stay ignored in the program.
    /// </summary>
    private static readonly int[] s_forProgram =
    [
        .. ((int[])[PtraceNative.SigHup, PtraceNative.SigInt, PtraceNative.SigQuit, PtraceNative.SigTerm]).Where(signal =>
            !PtraceNative.IgnoreSignal(signal)
        ),
    ];

    /// <summary>Starts a program.</summary>
    /// <param name="command">Path and arguments.</param>
    /// <param name="environment"><c>NAME=VALUE</c>.</param>
    /// <returns>Its process id.</returns>
    /// <exception cref="LaunchException">The system refuses.</exception>
    public static int Spawn(IReadOnlyList<string> command, IReadOnlyList<string> environment)
    {
        var blocked = stackalloc byte[PtraceNative.SignalSetBytes];
        var defaults = stackalloc byte[PtraceNative.SignalSetBytes];
        new Span<byte>(blocked, PtraceNative.SignalSetBytes).Clear();
        PtraceNative.Only(defaults, PtraceNative.SigPipe); // .NET ignores it

        foreach (var signal in s_forProgram)
            defaults[(signal - 1) / 8] |= (byte)(1 << (signal - 1) % 8);

        var attributes = stackalloc byte[AttributeBytes];
        _ = PtraceNative.InitializeSpawn(attributes);
        _ = PtraceNative.SetSpawnFlags(attributes, Flags);
        _ = PtraceNative.SetSpawnMask(attributes, blocked);
        _ = PtraceNative.SetSpawnDefaults(attributes, defaults);
        var arguments = Strings(command);
        var variables = Strings(environment);
        int process;
        var error = PtraceNative.Spawn(&process, arguments[0], null, attributes, arguments, variables);
        if (error != 0)
            throw new LaunchException(
                $"cannot start '{command[0]}': {new Win32Exception(error).Message}",
                Environment.CurrentDirectory,
                "check the limits of processes and memory (ulimit -a)"
            );
        return process;
    }

    /// <summary>A null-terminated C array of C strings. Never freed: the sampler starts two programs.</summary>
    private static byte** Strings(IReadOnlyList<string> strings)
    {
        var array = (byte**)NativeMemory.AllocZeroed((nuint)strings.Count + 1, (nuint)sizeof(byte*));
        for (var index = 0; index < strings.Count; index++)
            array[index] = (byte*)Marshal.StringToCoTaskMemUTF8(strings[index]);
        return array;
    }
}
