using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Symbols.Kept;

/// <summary>Methods of a precompiled assembly that samples hit and no event names, as a recording keeps them.</summary>
/// <param name="Pdb">GUID of the assembly's PDB; empty when it has none.</param>
/// <param name="Methods">The methods, in the order of their code.</param>
internal sealed record KeptMethods(Guid Pdb, IReadOnlyList<KeptMethod> Methods);

/// <summary>A kept method.</summary>
/// <param name="Start">Offset of its code in the file.</param>
/// <param name="Size">Bytes of its code with its funclets.</param>
/// <param name="Token">Token of its definition; 0 for one of another assembly.</param>
/// <param name="Type">Full name of its type, with type arguments.</param>
/// <param name="Name">Its name.</param>
internal sealed record KeptMethod(ulong Start, uint Size, int Token, string Type, string Name);

/// <summary>JSON contract of <see cref="KeptMethods"/>, generated at build time.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectRequiredConstructorParameters = true,
    RespectNullableAnnotations = true
)]
[JsonSerializable(typeof(KeptMethods))]
internal sealed partial class KeptMethodsJson : JsonSerializerContext;
