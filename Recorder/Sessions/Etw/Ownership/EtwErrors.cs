using System.Globalization;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>
/// Meaning and fix of session errors. Sources: "System Error Codes" and the return values of StartTrace, EnableTraceEx2 and ControlTrace
/// in Microsoft's documentation; for WPR's own errors (0xC5…) its command-line documentation and published reports.
/// </summary>
public static partial class EtwErrors
{
    private const uint Win32Facility = 0x80070000;

    /// <summary>The known errors.</summary>
    public static IReadOnlyList<EtwError> All { get; } =
    [
        new(
            0x80070005,
            "ERROR_ACCESS_DENIED",
            "only administrators may start these sessions (Performance Log Users may start user sessions, but no kernel session)",
            "start esp-record from a prompt opened with 'Run as administrator'; the measured program starts without these rights"
        ),
        new(
            0x800700AA,
            "ERROR_BUSY",
            "a resource that exists only once per machine is in use: another profiler samples or holds the kernel session's settings",
            "end other profilers (Visual Studio, WPR, PerfView, vendors' tools); 'esp-record sessions' lists what runs; if nothing does, restart Windows"
        ),
        new(
            0x800700B7,
            "ERROR_ALREADY_EXISTS",
            "a session of that name, or with that file, runs already",
            "find its owner with 'esp-record sessions'; 'esp-record stop' stops sessions that a crashed recorder left behind; if another profiler uses the NT Kernel Logger, end it, or use a separate kernel session (--sessions traceevent or tracelog)"
        ),
        new(
            0x800705AA,
            "ERROR_NO_SYSTEM_RESOURCES",
            "too little non-paged memory for the buffers, more than 64 sessions on the machine, or more than 8 sessions with the same provider",
            "'esp-record stop' stops sessions left behind; choose less memory (--mode circular:SIZE); end other profilers"
        ),
        new(
            0x80071069,
            "ERROR_WMI_INSTANCE_NOT_FOUND",
            "the session does not exist any more",
            "somebody else stopped it, or Windows did when it could not write its file; what was written is in the recording's folder"
        ),
        new(
            0x80070020,
            "ERROR_SHARING_VIOLATION",
            "the file is open in another program",
            "close WPA or any other program that has the .etl file open, or record to another folder with --out"
        ),
        new(0x80070003, "ERROR_PATH_NOT_FOUND", "the folder of the file does not exist", "name another folder with --out"),
        new(
            0x80070070,
            "ERROR_DISK_FULL",
            "the disk is full",
            "record to another disk with --out, or keep only the newest part with --mode circular:SIZE"
        ),
        new(
            0x80070057,
            "ERROR_INVALID_PARAMETER",
            "this Windows does not know one of the flags, or a filter (Windows 8.1 and later have them)",
            "leave --stack-filter, --event-filter and --kernel-events out, or use --sessions xperf"
        ),
        new(
            0x800703EC,
            "ERROR_INVALID_FLAGS",
            "a provider or flag is not known on this machine",
            "look at 'xperf -providers'; leave --kernel-events out"
        ),
        new(0x8007000E, "ERROR_OUTOFMEMORY", "too little memory for the buffers", "choose less memory (--mode circular:SIZE)"),
        new(0xC5583000, "WPR", "no profile of that instance is running", "another program stopped or cancelled it: see 'wpr -status'"),
        new(
            0xC5583001,
            "WPR",
            "profiles are already running",
            "'wpr -status -instancename NAME' shows them; 'wpr -cancel -instancename NAME' cancels them"
        ),
        new(
            0xC5585011,
            "WPR",
            "the right to profile system performance is missing",
            "start elevated; if a policy denies it, an administrator must grant 'Profile system performance'"
        ),
    ];

    /// <summary>Finds an error by its HRESULT, or by a Win32 error number.</summary>
    public static EtwError? Find(long code)
    {
        var number = unchecked((uint)code);
        var hresult = number is > 0 and < 0x10000 ? Win32Facility | number : number;
        return All.FirstOrDefault(error => error.HResult == hresult);
    }

    /// <summary>Explains why a tool failed, by the error number in its output or else by its exit code.</summary>
    /// <param name="exitCode">Its exit code: an HRESULT (xperf, wpr) or a Win32 error (tracelog).</param>
    /// <param name="output">Its output.</param>
    public static EtwError? Explain(int exitCode, string output)
    {
        foreach (Match match in HexNumber().Matches(output))
        {
            if (
                long.TryParse(match.ValueSpan[2..], NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var printed)
                && Find(printed) is { } error
            )
                return error;
        }

        // tracelog: "Operation Status:       183L      Cannot create …"
        return
            OperationStatus().Match(output) is { Success: true } status
            && Find(long.Parse(status.Groups[1].ValueSpan, CultureInfo.InvariantCulture)) is { } known
            ? known
            : Find(exitCode);
    }

    [GeneratedRegex("0[xX][0-9a-fA-F]{8}")]
    private static partial Regex HexNumber();

    [GeneratedRegex(@"Operation Status:\s+([0-9]{1,9})L")]
    private static partial Regex OperationStatus();
}
