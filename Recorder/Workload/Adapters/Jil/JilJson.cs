using System.Runtime.CompilerServices;
using System.Text;
using EtwSerializerProfiler.Contract;
using Jil;

namespace EtwSerializerProfiler.Adapters.Jil;

/// <summary>Jil, streaming through StreamWriter and StreamReader, with its default options.</summary>
/// <remarks>
/// The last version 2.17.0 (2019) looks up TimeSpan.FromSeconds only by name when its reader is initialized. .NET 9 added an overload, so
/// every Deserialize throws AmbiguousMatchException (kevin-montrose/Jil issue 364, open; dotnet/performance issue 4422). Writing works;
/// reading also works on .NET 8 and .NET Framework. Bytes become an array of numbers. The default options write DateTime as milliseconds
/// since 1970; references are not tracked.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer(
    "Jil",
    DataFormat.Text,
    Library = "Jil",
    FailsFrom = "9.0",
    FailsBecause = "Jil 2.17.0 cannot read on .NET 9 and later: TimeSpan.FromSeconds, which it looks up by name, has a second overload there (Jil issue 364); use net8.0 or net472"
)]
public sealed class JilJson<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private const int BufferSize = 1024; // the default of StreamReader and StreamWriter

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        using var text = new StreamWriter(stream, s_utf8, BufferSize, leaveOpen: true);
        JSON.Serialize(graph, text);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        using var text = new StreamReader(stream, s_utf8, detectEncodingFromByteOrderMarks: true, BufferSize, leaveOpen: true);
        return JSON.Deserialize<TGraph>(text);
    }
}
