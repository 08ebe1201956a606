namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The Mono installation of this machine.</summary>
/// <param name="Program">Path of the program <c>mono</c>.</param>
/// <param name="Version">Its version, for example 6.8.0.105.</param>
/// <param name="Collector">Its garbage collector as <c>mono --version</c> names it; empty when it does not.</param>
/// <param name="HasFacades">
/// Whether it has netstandard.dll and the other facades that libraries for .NET Standard refer to. Debian packages them with the compilers,
/// not with the runtime.
/// </param>
public sealed record MonoInstallation(string Program, string Version, string Collector, bool HasFacades)
{
    /// <summary>Command that installs the Debian packages for the suite; the runtime package has only mscorlib.</summary>
    private const string InstallOnDebian =
        "apt-get install mono-runtime libmono-system4.0-cil libmono-system-core4.0-cil libmono-system-xml4.0-cil libmono-system-xml-linq4.0-cil "
        + "libmono-system-runtime-serialization4.0-cil libmono-system-numerics4.0-cil libmono-system-data4.0-cil";

    /// <summary>How to install it.</summary>
    public static string Install(bool isWindows) =>
        isWindows ? "install Mono for Windows, and add its folder bin to the path" : InstallOnDebian;

    /// <summary>Parses the output of <c>mono --version</c>.</summary>
    /// <param name="program">Path of the program.</param>
    /// <param name="output">Its standard output.</param>
    /// <param name="hasFacades">Whether its facades are installed.</param>
    /// <returns>Null when the output is not from Mono.</returns>
    public static MonoInstallation? Parse(string program, string output, bool hasFacades)
    {
        ArgumentNullException.ThrowIfNull(output);
        const string Marker = " version ";
        const string CollectorMarker = "GC:";
        var lines = output.Split('\n', StringSplitOptions.TrimEntries);
        var at = lines[0].IndexOf(Marker, StringComparison.Ordinal);
        if (at < 0 || !lines[0].StartsWith("Mono", StringComparison.Ordinal))
            return null;
        var version = lines[0][(at + Marker.Length)..].Split(' ')[0];
        var collector =
            lines.FirstOrDefault(line => line.StartsWith(CollectorMarker, StringComparison.Ordinal))?[CollectorMarker.Length..].Trim()
            ?? "";
        return new MonoInstallation(program, version, collector, hasFacades);
    }

    /// <summary>Whether a Mono has the facades: <c>PREFIX/bin/mono</c> uses <c>PREFIX/lib/mono/4.5</c>.</summary>
    /// <param name="program">Path of the program with links resolved.</param>
    public static bool FindFacades(string program) =>
        Path.GetDirectoryName(Path.GetDirectoryName(program)) is { } prefix
        && File.Exists(Path.Combine(prefix, "lib", "mono", "4.5", "Facades", "netstandard.dll"));
}
