using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MessagePack;
using MessagePack.Resolvers;

namespace EtwSerializerProfiler.Adapters.MessagePack;

/// <summary>MessagePack-CSharp without a contract: members by name, no attributes needed.</summary>
/// <remarks>
/// The library's ContractlessStandardResolver first asks DynamicObjectResolver, which accepts a DataContract as a contract; for the suite's
/// data it would write the same as "MessagePack". So this class combines the resolvers without that one, and every type is written as a map
/// of its public members' names.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer(
    "MessagePackContractless",
    DataFormat.Binary,
    Library = "MessagePack",
    Notes = "Members by name, also of types with a DataContract."
)]
public sealed class MessagePackContractless<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly MessagePackSerializerOptions _options = MessagePackSerializerOptions.Standard.WithResolver(
        CompositeResolver.Create(
            BuiltinResolver.Instance,
            AttributeFormatterResolver.Instance,
            DynamicEnumResolver.Instance,
            DynamicGenericResolver.Instance,
            DynamicUnionResolver.Instance,
            DynamicContractlessObjectResolver.Instance,
            PrimitiveObjectResolver.Instance
        )
    );

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => MessagePackSerializer.Serialize(stream, graph, _options);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => MessagePackSerializer.Deserialize<TGraph>(stream, _options);
}
