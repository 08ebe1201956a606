namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// Requires Mono with the library that most serializers of the suite use. esp-record finds out only after it has built the suite for Mono,
/// which takes a minute of CPU time.
/// </summary>
internal sealed class NeedsMonoAttribute : NeedAttribute
{
    private const string Library = "System.Runtime.Serialization";

    /// <inheritdoc />
    public override string? Missing { get; } = Find();

    private static string? Find()
    {
        if ((NeedsProgramAttribute.Find("mono") ?? NeedsProgramAttribute.Find("mono.exe")) is not { } mono)
            return "mono is not installed here: apt-get install mono-runtime";
        var program = File.ResolveLinkTarget(mono, returnFinalTarget: true)?.FullName ?? mono;
        var libraries = Path.GetFullPath(Path.Combine(program, "..", "..", "lib", "mono"));
        return
            !Directory.Exists(Path.Combine(libraries, "4.5")) // another layout: the test finds out
            || File.Exists(Path.Combine(libraries, "4.5", Library + ".dll"))
            || Directory.Exists(Path.Combine(libraries, "gac", Library))
            ? null
            : "mono's libraries are not all installed (Debian: apt-get install libmono-system-runtime-serialization4.0-cil)";
    }
}
