using System.Runtime.CompilerServices;
using Azos.Serialization.Slim;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Adapters.Slim;

/// <summary>SlimSerializer of Azos (before: NFX).</summary>
/// <remarks>
/// Fields, private ones too; references are always tracked, as with BinaryFormatter. Types that both sides know are written as numbers: the root's type, its array and its list, as in
/// the classic suite, and known types. TypeMode stays PerCall, so an instance may be used by several threads. Azos 3 has a build for .NET Standard 2.1 only, none for .NET Framework.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("Slim", DataFormat.Binary, Library = "Azos", Notes = "Always tracks references.")]
public sealed class SlimBinary<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly SlimSerializer _serializer = new(KnownTypes(settings));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => (TGraph)_serializer.Deserialize(stream);

    private static IEnumerable<Type> KnownTypes(SerializerSettings settings) => [typeof(TGraph), typeof(TGraph[]), typeof(List<TGraph>), .. settings.KnownTypes];
}
