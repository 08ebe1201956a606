using System.Globalization;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Whether signals reach the processes that tests start.</summary>
internal static class Signals
{
    private static readonly Dictionary<string, int> s_numbers = new()
    {
        ["HUP"] = 1,
        ["INT"] = 2,
        ["TERM"] = 15,
    };

    /// <summary>
    /// Skips a test whose signal its processes would ignore: a shell has what it starts in the background ignore SIGINT, nohup has its
    /// command ignore SIGHUP, and so does all that is started from there.
    /// </summary>
    /// <param name="signal">Name of the signal, without SIG.</param>
    public static void SkipUnlessHeard(string signal)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there is no kill");
        Assert.SkipWhen(
            OperatingSystem.IsLinux() && s_numbers.TryGetValue(signal, out var number) && (Ignored() >> (number - 1) & 1) != 0,
            $"SIG{signal} is ignored: the tests were started in the background, or with nohup"
        );
    }

    private static ulong Ignored() =>
        ulong.Parse(
            File.ReadLines("/proc/self/status")
                .First(line => line.StartsWith("SigIgn:", StringComparison.Ordinal))
                .AsSpan("SigIgn:".Length)
                .Trim(),
            NumberStyles.HexNumber,
            CultureInfo.InvariantCulture
        );
}
