using System.Runtime.CompilerServices;
using Azos.Serialization.Slim;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Adapters.Slim;

/// <summary>SlimSerializer of Azos (formerly NFX).</summary>
/// <remarks>
/// Writes fields, including private ones, and always tracks references, as BinaryFormatter does. Types that both sides know are written as
/// numbers: known types, and the root's type, its array and its list, as in SerializerTests. TypeMode stays PerCall, so several threads may
/// use an instance. Azos 3 has only a build for .NET Standard 2.1, none for .NET Framework.
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

    private static IEnumerable<Type> KnownTypes(SerializerSettings settings) =>
        [typeof(TGraph), typeof(TGraph[]), typeof(List<TGraph>), .. settings.KnownTypes];
}
