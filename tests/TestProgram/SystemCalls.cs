using System.Runtime.InteropServices;

/// <summary>Becomes another program, as it is or without the right to perf events.</summary>
internal static unsafe partial class SystemCalls
{
    private const int SetSecurityFilter = 22; // PR_SET_SECCOMP
    private const int NoNewPrivileges = 38; // PR_SET_NO_NEW_PRIVS
    private const int Filter = 2; // SECCOMP_MODE_FILTER

    /// <summary>Becomes a program; returns only when that fails.</summary>
    /// <param name="command">Path and arguments.</param>
    /// <returns>Exit code.</returns>
    public static int Become(string[] command)
    {
        var arguments = (nint*)NativeMemory.AllocZeroed((nuint)command.Length + 1, (nuint)sizeof(nint));
        for (var index = 0; index < command.Length; index++)
            arguments[index] = Marshal.StringToCoTaskMemUTF8(command[index]);
        Execute(arguments[0], arguments);
        Console.Error.WriteLine($"{command[0]}: {Marshal.GetLastPInvokeErrorMessage()}");
        return 127;
    }

    /// <summary>
    /// Has the system refuse perf_event_open to this thread and all that it becomes or starts, as Docker's default profile does.
    /// </summary>
    public static void RefusePerfEvents()
    {
        var number = RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 241u : 298u;

        // struct sock_filter: u16 code, u8 jump if true, u8 jump if false, u32 operand. Load the number; if it is this one, EPERM, else
        // allowed.
        var program = stackalloc ulong[]
        {
            Instruction(0x20, 0, 0, 0),
            Instruction(0x15, 0, 1, number),
            Instruction(0x06, 0, 0, 0x0005_0001),
            Instruction(0x06, 0, 0, 0x7fff_0000),
        };
        var described = stackalloc nint[] { 4, (nint)program };
        if (Control(NoNewPrivileges, 1, 0, 0, 0) != 0 || Control(SetSecurityFilter, Filter, (nint)described, 0, 0) != 0)
            throw new InvalidOperationException(Marshal.GetLastPInvokeErrorMessage());
    }

    private static ulong Instruction(ushort code, byte ifTrue, byte ifFalse, uint operand) =>
        code | (ulong)ifTrue << 16 | (ulong)ifFalse << 24 | (ulong)operand << 32;

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    private static partial int Control(int option, nint first, nint second, nint third, nint fourth);

    [LibraryImport("libc", EntryPoint = "execv", SetLastError = true)]
    private static partial int Execute(nint path, nint* arguments);
}
