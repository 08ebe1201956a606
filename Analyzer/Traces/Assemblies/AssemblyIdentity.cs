using System.Globalization;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>What names an assembly.</summary>
/// <param name="Name">Simple name.</param>
/// <param name="Version">Version.</param>
/// <param name="Culture">Culture; empty for neutral.</param>
/// <param name="PublicKeyToken">Token of the public key in 16 hexadecimal digits; empty when it has no strong name.</param>
public sealed record AssemblyIdentity(string Name, Version Version, string Culture, string PublicKeyToken)
{
    /// <summary>Whether it has a strong name.</summary>
    public bool IsSigned => PublicKeyToken.Length > 0;

    /// <inheritdoc />
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Name} {Version}");
}
