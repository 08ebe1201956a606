namespace EtwSerializerProfiler.TestSupport;

/// <summary>Requires a program of a Debian package.</summary>
/// <param name="package">The package.</param>
/// <param name="programs">Names of the program, any of which is enough.</param>
internal sealed class NeedsProgramAttribute(string package, params string[] programs) : NeedAttribute
{
    /// <inheritdoc />
    public override string? Missing { get; } =
        programs.Any(program => Find(program) is not null)
            ? null
            : $"{string.Join(" or ", programs)} is not installed here: apt-get install {package}";

    /// <summary>Path of a program; null when it is not installed.</summary>
    public static string? Find(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Append("/usr/sbin")
            .Append("/usr/bin")
            .Select(folder => Path.Combine(folder, program))
            .FirstOrDefault(File.Exists);
}
