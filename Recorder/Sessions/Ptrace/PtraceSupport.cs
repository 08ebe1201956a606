using System.Globalization;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Whether this process may sample its own children by ptrace.</summary>
public static class PtraceSupport
{
    /// <summary>Yama's scope in which only a tracer with CAP_SYS_PTRACE is permitted; one above, nobody is (Documentation/admin-guide/LSM/Yama.rst of the Linux kernel).</summary>
    private const int ScopeOfPrivileged = 2;

    /// <summary>Finds out without tracing anybody.</summary>
    /// <returns>Why not, and what would allow it; null when it may.</returns>
    public static (string Reason, string Remedy)? Refusal()
    {
        if (!OperatingSystem.IsLinux())
            return ("ptrace samples on Linux only", "");
        if (RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.Arm64))
            return ($"ptrace samples on x64 and arm64 only, this is {RuntimeInformation.ProcessArchitecture}", "");
        if (Read("/proc/self/schedstat").Split(' ').Length < 3)
            return ("the kernel keeps no /proc/PID/schedstat, which has the threads' CPU time", "use a kernel with CONFIG_SCHED_INFO");
        if (Read("/proc/self/syscall").Length == 0)
            return ("/proc/PID/syscall cannot be read, which says whether a thread runs", "use a kernel with CONFIG_HAVE_ARCH_TRACEHOOK, and a /proc that is not restricted");
        if (int.TryParse(Read("/proc/sys/kernel/yama/ptrace_scope"), NumberStyles.None, CultureInfo.InvariantCulture, out var scope) && scope >= ScopeOfPrivileged)
            return ($"kernel.yama.ptrace_scope is {scope}", scope == ScopeOfPrivileged ? "'sudo sysctl kernel.yama.ptrace_scope=1' allows it until the next boot" : "it cannot be lowered before the next boot");

        // A process that does not exist: ESRCH says that the system call itself is permitted, EPERM that a filter (seccomp) refuses it.
        return PtraceNative.Trace(PtraceNative.Seize, int.MaxValue, 0, 0) != 0 && Marshal.GetLastPInvokeError() != PtraceNative.NoSuchProcess
            ? ("the system call ptrace is refused", "allow it in the container's seccomp profile, or start the container with --cap-add SYS_PTRACE")
            : null;
    }

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path).Trim();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
