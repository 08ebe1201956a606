using System.Globalization;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Permissions of this process for perf events. Rules: Documentation/admin-guide/perf-security.rst of the Linux kernel.</summary>
/// <param name="Paranoid">kernel.perf_event_paranoid; null when the kernel has no perf events, or a container hides the setting.</param>
/// <param name="Privileged">Whether the process has CAP_PERFMON or CAP_SYS_ADMIN (root has).</param>
/// <param name="LockExempt">Whether the process has CAP_IPC_LOCK, so that the size of rings is unlimited.</param>
public sealed record PerfEventPermissions(int? Paranoid, bool Privileged, bool LockExempt)
{
    /// <summary>Bits in a capability mask (linux/capability.h).</summary>
    private const int CapIpcLock = 14;
    private const int CapSysAdmin = 21;
    private const int CapPerfmon = 38;

    /// <summary>Whether user-mode samples and context switches of the user's own processes can be recorded.</summary>
    public bool OwnProcesses => Paranoid is not null && (Privileged || Paranoid <= 2);

    /// <summary>Whether kernel frames can be recorded.</summary>
    public bool Kernel => Paranoid is not null && (Privileged || Paranoid <= 1);

    /// <summary>Whether all processes of the machine can be recorded.</summary>
    public bool SystemWide => Paranoid is not null && (Privileged || Paranoid <= 0);

    /// <summary>Whether tracepoints with their payload can be recorded.</summary>
    public bool Tracepoints => Paranoid is not null && (Privileged || Paranoid <= -1);

    /// <summary>What would allow an ordinary user to record own processes; empty when permitted.</summary>
    public string Fix =>
        Paranoid is null
            ? "the kernel offers no perf events here; in a container, allow the system call perf_event_open (docker run --cap-add PERFMON, or a seccomp profile with it; docs/containers.md)"
        : OwnProcesses ? ""
        : $"kernel.perf_event_paranoid is {Paranoid}; 'sudo sysctl kernel.perf_event_paranoid=2' allows it until the next boot, or run as root";

    /// <summary>Reads the permissions of this process.</summary>
    public static PerfEventPermissions Read()
    {
        var paranoid =
            Lines("/proc/sys/kernel/perf_event_paranoid").FirstOrDefault() is { } text
            && int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
                ? number
                : (int?)null;
        const string Effective = "CapEff:";
        var line = Lines("/proc/self/status").FirstOrDefault(line => line.StartsWith(Effective, StringComparison.Ordinal));
        var mask =
            line is not null
            && ulong.TryParse(line.AsSpan(Effective.Length).Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var bits)
                ? bits
                : 0;
        return new PerfEventPermissions(paranoid, Has(CapPerfmon) || Has(CapSysAdmin), Has(CapIpcLock));

        bool Has(int capability) => (mask >> capability & 1) != 0;
    }

    private static string[] Lines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
