using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Salar.Bois;

namespace EtwSerializerProfiler.Adapters.SalarBois;

/// <summary>Bois of Salar.Bois.</summary>
/// <remarks>
/// Writes public properties and fields without member names, so a changed type cannot read old data. Version 3.2.1, which SerializerTests
/// uses, is the last one with a build for .NET Framework before 4.8. References are not tracked.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("Salar.Bois", DataFormat.Binary, Library = "Salar.Bois")]
public sealed class BoisBinary<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly BoisSerializer _serializer = new();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Serialize(graph, stream);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => _serializer.Deserialize<TGraph>(stream);
}
