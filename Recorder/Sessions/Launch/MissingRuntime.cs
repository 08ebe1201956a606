using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>Finds out why a program's runtime has no diagnostic port.</summary>
internal static class MissingRuntime
{
    /// <summary>Variables that disable the diagnostic port when they are 0.</summary>
    private static readonly string[] s_switches =
    [
        "DOTNET_EnableDiagnostics",
        "DOTNET_EnableDiagnostics_IPC",
        "COMPlus_EnableDiagnostics",
        "COMPlus_EnableDiagnostics_IPC",
    ];

    /// <summary>
    /// Marks of every file compiled by NativeAOT: the exported header for debuggers, or the section of its code (src/coreclr/nativeaot of
    /// dotnet/runtime).
    /// </summary>
    private static readonly byte[][] s_nativeMarks = ["DotNetRuntimeDebugHeader"u8.ToArray(), "__managedcode"u8.ToArray()];

    private const int BlockBytes = 1 << 20;

    /// <summary>The reason with its fix; null when unknown.</summary>
    /// <param name="program">Path of the program's file; empty when unknown.</param>
    /// <param name="where">The process, or the command.</param>
    /// <param name="environment">Returns the value of a variable in the program's environment; null when it is not set.</param>
    public static Problem? Explain(string program, string where, Func<string, string?> environment)
    {
        if (s_switches.FirstOrDefault(name => environment(name) is { Length: > 0 } value && value.Trim('0').Length == 0) is { } off)
            return new Problem(
                $"it was started with {off}={environment(off)}: no runtime events are recorded",
                where,
                $"start it without {off}"
            );
        return IsNativeAot(program)
            ? new Problem(
                "it is compiled ahead of time (NativeAOT) without a diagnostic port: no runtime events are recorded",
                where,
                "publish it with -p:EventSourceSupport=true, or without PublishAot"
            )
            : null;
    }

    /// <summary>Whether a file was compiled by NativeAOT; false when it is unreadable.</summary>
    internal static bool IsNativeAot(string path)
    {
        try
        {
            // A pipe or device has no length, and opening one could block forever. The link of a process (/proc/PID/exe) has none either,
            // and leads to a program.
            if (path.Length == 0 || new FileInfo(path) is not { Exists: true } info || (info.Length == 0 && info.LinkTarget is null))
                return false;
            using var file = File.OpenRead(path);
            var longest = s_nativeMarks.Max(mark => mark.Length);
            var block = new byte[longest + BlockBytes];
            var kept = 0;
            while (file.Read(block.AsSpan(kept)) is > 0 and var read)
            {
                var content = block.AsSpan(0, kept + read);
                foreach (var mark in s_nativeMarks)
                {
                    if (content.IndexOf(mark) >= 0)
                        return true;
                }

                // A mark may cross the boundary of two blocks.
                kept = Math.Min(longest, content.Length);
                content[^kept..].CopyTo(block);
            }

            return false;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
