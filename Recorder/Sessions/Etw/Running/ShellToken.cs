using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>
/// Starts a program with the token of the desktop's shell, which is not elevated. Microsoft's documentation of CreateProcessWithTokenW
/// recommends this for starting an unelevated program from an elevated one. Windows only and untested, because no Windows machine was
/// available.
/// </summary>
internal static unsafe partial class ShellToken
{
    private const uint ProcessQueryLimitedInformation = 0x1000;
    private const uint TokenDuplicate = 0x2;

    /// <summary>TOKEN_QUERY, TOKEN_ASSIGN_PRIMARY, TOKEN_DUPLICATE, TOKEN_ADJUST_DEFAULT, TOKEN_ADJUST_SESSIONID.</summary>
    private const uint TokenForProcess = 0x8 | 0x1 | 0x2 | 0x80 | 0x100;
    private const int SecurityImpersonation = 2;
    private const int TokenPrimary = 1;
    private const uint CreateUnicodeEnvironment = 0x400;

    /// <summary>Starts a program.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="workingDirectory">Working directory.</param>
    /// <param name="variables">Variables in addition to this process's own.</param>
    /// <returns>Handle of the process, which the caller closes, and its id.</returns>
    /// <exception cref="Win32Exception">There is no shell, or the program cannot be started with its token.</exception>
    public static (SafeProcessHandle Handle, int Id) Start(
        IReadOnlyList<string> command,
        string workingDirectory,
        IReadOnlyDictionary<string, string> variables
    )
    {
        var window = GetShellWindow();
        if (window == 0)
            throw new Win32Exception("there is no desktop");
        Check(GetWindowThreadProcessId(window, out var shell) != 0);
        nint process = OpenProcess(ProcessQueryLimitedInformation, inherit: 0, shell),
            token = 0,
            primary = 0;
        try
        {
            Check(process != 0);
            Check(OpenProcessToken(process, TokenDuplicate, out token) != 0);
            Check(DuplicateTokenEx(token, TokenForProcess, 0, SecurityImpersonation, TokenPrimary, out primary) != 0);
            return Create(primary, CmdText.Join(command), workingDirectory, Block(variables));
        }
        finally
        {
            foreach (var handle in (nint[])[primary, token, process])
            {
                if (handle != 0)
                    _ = CloseHandle(handle);
            }
        }
    }

    /// <summary>An environment block: NAME=VALUE entries, each terminated by a zero, ordered by name, and a final zero.</summary>
    internal static string Block(IReadOnlyDictionary<string, string> variables)
    {
        var all = new SortedDictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (System.Collections.DictionaryEntry entry in Environment.GetEnvironmentVariables())
            all[(string)entry.Key] = (string?)entry.Value ?? "";
        foreach (var (name, value) in variables)
            all[name] = value;
        var block = new StringBuilder();
        foreach (var (name, value) in all)
            block.Append(name).Append('=').Append(value).Append('\0');
        return block.Append('\0').ToString();
    }

    private static (SafeProcessHandle Handle, int Id) Create(nint token, string commandLine, string workingDirectory, string environment)
    {
        var startup = new StartupInfo { Size = (uint)sizeof(StartupInfo) };
        var text = (commandLine + '\0').ToCharArray(); // Windows may write into it
        ProcessInformation information;
        fixed (
            char* line = text,
                directory = workingDirectory,
                block = environment
        )
            Check(CreateProcessWithTokenW(token, 0, null, line, CreateUnicodeEnvironment, block, directory, &startup, &information) != 0);
        _ = CloseHandle(information.Thread);
        return (new SafeProcessHandle(information.Process, ownsHandle: true), (int)information.ProcessId);
    }

    /// <summary>Exit code of a process that has ended.</summary>
    public static int ExitCodeOf(SafeProcessHandle process)
    {
        Check(GetExitCodeProcess(process, out var code) != 0);
        return unchecked((int)code);
    }

    private static void Check(bool succeeded)
    {
        if (!succeeded)
            throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    [LibraryImport("user32")]
    private static partial nint GetShellWindow();

    [LibraryImport("user32", SetLastError = true)]
    private static partial uint GetWindowThreadProcessId(nint window, out uint processId);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial nint OpenProcess(uint access, int inherit, uint processId);

    [LibraryImport("kernel32")]
    private static partial int CloseHandle(nint handle);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int GetExitCodeProcess(SafeProcessHandle process, out uint code);

    [LibraryImport("advapi32", SetLastError = true)]
    private static partial int OpenProcessToken(nint process, uint access, out nint token);

    [LibraryImport("advapi32", SetLastError = true)]
    private static partial int DuplicateTokenEx(nint token, uint access, nint attributes, int impersonation, int type, out nint duplicate);

    [LibraryImport("advapi32", SetLastError = true)]
    private static partial int CreateProcessWithTokenW(
        nint token,
        uint logonFlags,
        char* application,
        char* commandLine,
        uint creationFlags,
        char* environment,
        char* directory,
        StartupInfo* startup,
        ProcessInformation* information
    );

    /// <summary>STARTUPINFOW; everything but the size stays zero.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct StartupInfo
    {
        public uint Size;
        private readonly nint _reserved,
            _desktop,
            _title;
        private readonly uint _x,
            _y,
            _width,
            _height,
            _columns,
            _rows,
            _fill,
            _flags;
        private readonly ushort _show,
            _reserved2Size;
        private readonly nint _reserved2,
            _input,
            _output,
            _error;
    }

    /// <summary>PROCESS_INFORMATION.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct ProcessInformation
    {
        public readonly nint Process;
        public readonly nint Thread;
        public readonly uint ProcessId;
        public readonly uint ThreadId;
    }
}
