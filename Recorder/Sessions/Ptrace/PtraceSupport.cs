using System.Globalization;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Whether this process may sample its own children by ptrace.</summary>
public static class PtraceSupport
{
    /// <summary>
    /// Yama's scope that permits only tracers with CAP_SYS_PTRACE; the next higher scope permits none
    /// (Documentation/admin-guide/LSM/Yama.rst of the Linux kernel).
    /// </summary>
    private const int ScopeOfPrivileged = 2;

    /// <summary>Checks this without tracing anything.</summary>
    /// <returns>Reason and fix of a refusal; null when permitted.</returns>
    public static (string Reason, string Fix)? Refusal()
    {
        if (!OperatingSystem.IsLinux())
            return ("ptrace sampling works on Linux only", "");
        if (RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.Arm64))
            return ($"ptrace sampling works on x64 and arm64 only; this is {RuntimeInformation.ProcessArchitecture}", "");
        if (Read("/proc/self/schedstat").Split(' ').Length < 3)
            return ("the kernel has no /proc/PID/schedstat with the threads' CPU time", "use a kernel with CONFIG_SCHED_INFO");
        if (Read("/proc/self/syscall").Length == 0)
            return (
                "/proc/PID/syscall, which shows whether a thread runs, cannot be read",
                "use a kernel with CONFIG_HAVE_ARCH_TRACEHOOK, and a /proc that is not restricted"
            );
        if (
            int.TryParse(Read("/proc/sys/kernel/yama/ptrace_scope"), NumberStyles.None, CultureInfo.InvariantCulture, out var scope)
            && scope >= ScopeOfPrivileged
        )
            return (
                $"kernel.yama.ptrace_scope is {scope}",
                scope == ScopeOfPrivileged
                    ? "'sudo sysctl kernel.yama.ptrace_scope=1' allows it until the next boot"
                    : "it cannot be lowered before the next boot"
            );

        // Uses a process that does not exist: ESRCH means that the system call is permitted, EPERM that a filter (seccomp) refuses it.
        return
            PtraceNative.Trace(PtraceNative.Seize, int.MaxValue, 0, 0) != 0 && Marshal.GetLastPInvokeError() != PtraceNative.NoSuchProcess
            ? (
                "the system call ptrace is refused",
                "allow it in the container's seccomp profile, or start the container with --cap-add SYS_PTRACE"
            )
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
