using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Running;
using EtwSerializerProfiler.Sessions.Etw.Scripts;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;
using Microsoft.Diagnostics.Tracing.Session;

namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>Checks the requirements of <c>record --sessions traceevent|xperf|tracelog|wpr</c>.</summary>
public static class EtwChecks
{
    private const string Subject = "ETW sessions (--sessions)";

    /// <summary>Checks this machine.</summary>
    public static IReadOnlyList<MachineCheck> Run() =>
        OperatingSystem.IsWindows()
            ? OnWindows(TraceEventSession.IsElevated() == true, program => ToolLocator.Find(program) is not null)
            : [ElsewhereThanWindows];

    /// <summary>The result on systems without ETW.</summary>
    internal static MachineCheck ElsewhereThanWindows { get; } =
        new(
            Subject,
            Verdict.No,
            "ETW exists on Windows only; --dry-run prints the commands for Windows, and esp-analyze reads .etl files on every system"
        );

    /// <summary>Checks a Windows machine.</summary>
    /// <param name="isElevated">Whether this process has administrator's rights.</param>
    /// <param name="hasProgram">Whether a program exists, by its name without an extension.</param>
    internal static IReadOnlyList<MachineCheck> OnWindows(bool isElevated, Func<string, bool> hasProgram)
    {
        List<MachineCheck> checks =
        [
            isElevated
                ? new MachineCheck(
                    Subject,
                    Verdict.Yes,
                    "elevated: kernel and CLR sessions can be started; the measured program is started without these rights"
                )
                : new MachineCheck(Subject, Verdict.No, "not elevated: no kernel session can be started", EtwErrors.Find(5)!.Fix),
            new("  traceevent", Verdict.Yes, "built in; needs no tool"),
        ];
        foreach (var tool in (ReadOnlySpan<EtwTool>)[EtwTool.Xperf, EtwTool.Tracelog, EtwTool.Wpr])
        {
            var programs = EtwScripts.Steps(tool, EtwPurpose.Runs, RecordingMode.File).Programs;
            string[] missing = [.. programs.Where(program => !hasProgram(program))];
            checks.Add(
                missing.Length == 0
                    ? new MachineCheck($"  {EtwTools.NameOf(tool)}", Verdict.Yes, $"{string.Join(" and ", programs)} found")
                    : new MachineCheck(
                        $"  {EtwTools.NameOf(tool)}",
                        Verdict.No,
                        $"{string.Join(" and ", missing)} not found",
                        string.Join("; ", missing.Select(EtwTools.Origin))
                    )
            );
        }

        return checks;
    }
}
