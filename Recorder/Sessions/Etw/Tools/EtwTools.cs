namespace EtwSerializerProfiler.Sessions.Etw.Tools;

/// <summary>Names of the tools, their programs and their origin.</summary>
public static class EtwTools
{
    /// <summary>Program of the Windows Performance Toolkit: starts, stops, merges.</summary>
    public const string Xperf = "xperf";

    /// <summary>Program of the Windows Driver Kit: starts, stops.</summary>
    public const string Tracelog = "tracelog";

    /// <summary>Program of Windows 10 and later: starts a profile, stops, merges.</summary>
    public const string Wpr = "wpr";

    /// <summary>Names of all tools for <c>--sessions</c>.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Enum.GetValues<EtwTool>().Select(NameOf)];

    /// <summary>Name of a tool on the command line.</summary>
    public static string NameOf(EtwTool tool) =>
        tool switch
        {
            EtwTool.TraceEvent => "traceevent",
            EtwTool.Xperf => Xperf,
            EtwTool.Tracelog => Tracelog,
            _ => Wpr,
        };

    /// <summary>Finds a tool by its name.</summary>
    public static bool TryParse(string name, out EtwTool tool)
    {
        foreach (var candidate in Enum.GetValues<EtwTool>())
        {
            if (NameOf(candidate).Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                tool = candidate;
                return true;
            }
        }

        tool = default;
        return false;
    }

    /// <summary>Where to get a missing program.</summary>
    /// <param name="program">Its name.</param>
    public static string Origin(string program) =>
        program switch
        {
            Xperf =>
                "xperf is part of the Windows Performance Toolkit: install it from the Windows ADK, or with the Windows SDK ('Windows Performance Toolkit')",
            Tracelog => "tracelog is part of the Windows Driver Kit, and of Visual Studio's component for drivers",
            Wpr => "wpr.exe is in System32 since Windows 10; on older systems it is part of the Windows Performance Toolkit",
            _ => $"'{program}' is not on PATH",
        };
}
