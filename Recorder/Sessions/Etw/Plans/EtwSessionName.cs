using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Names of our sessions: <c>esp-PID-ROLE</c>, where PID is the recorder's process id.</summary>
public static class EtwSessionName
{
    /// <summary>Prefix of all our sessions.</summary>
    public const string Mark = "esp-";

    /// <summary>Prefix of the sessions of one recorder.</summary>
    public static string PrefixOf(int processId) => string.Create(CultureInfo.InvariantCulture, $"{Mark}{processId}-");

    /// <summary>
    /// Whether a session is ours, and which recorder owns it. WPR adds text before and after an instance's name
    /// (<c>WPR_initiated_esp-4711-wpr_…</c>).
    /// </summary>
    /// <param name="name">Name of a session.</param>
    /// <param name="processId">The recorder that started it; 0 when the name has no process id (started by our scripts).</param>
    public static bool IsOurs(string name, out int processId)
    {
        ArgumentNullException.ThrowIfNull(name);
        const string Wpr = "WPR_initiated_";
        processId = 0;
        var own = name.StartsWith(Wpr, StringComparison.OrdinalIgnoreCase) ? name[Wpr.Length..] : name;
        if (!own.StartsWith(Mark, StringComparison.OrdinalIgnoreCase))
            return false;
        var end = own.IndexOf('-', Mark.Length);
        if (end > 0 && int.TryParse(own[Mark.Length..end], NumberStyles.None, CultureInfo.InvariantCulture, out var found))
            processId = found;
        return true;
    }
}
