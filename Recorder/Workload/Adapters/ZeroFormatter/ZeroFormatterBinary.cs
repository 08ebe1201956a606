using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using ZeroFormatter;

namespace EtwSerializerProfiler.Adapters.ZeroFormatter;

/// <summary>ZeroFormatter, which reads a member only when it is first used.</summary>
/// <remarks>
/// ZeroFormatter needs types of its own: [ZeroFormattable], and virtual properties with [Index] that its emitted classes override.
/// Since .NET Core 3.0 its emitted code fails with BadImageFormatException, "Bad IL format" (neuecc/ZeroFormatter issues 112 and 129); no
/// version fixes this. It works on .NET Framework.
/// </remarks>
[SuiteSerializer(
    "ZeroFormatter",
    DataFormat.Binary,
    Library = "ZeroFormatter",
    Model = typeof(ZeroFormatterModel),
    FailsFrom = "3.0",
    FailsBecause = "ZeroFormatter 1.6.4 emits code that .NET Core 3.0 and later refuse (ZeroFormatter issue 112); use net472"
)]
public sealed class ZeroFormatterBinary : TypedSerializer<ZeroFormatterShelf>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, ZeroFormatterShelf graph) => ZeroFormatterSerializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override ZeroFormatterShelf? Read(Stream stream) => ZeroFormatterSerializer.Deserialize<ZeroFormatterShelf>(stream);
}
