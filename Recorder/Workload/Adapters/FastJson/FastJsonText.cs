using System.Runtime.CompilerServices;
using System.Text;
using EtwSerializerProfiler.Contract;
using fastJSON;

namespace EtwSerializerProfiler.Adapters.FastJson;

/// <summary>fastJSON with its default parameters.</summary>
/// <remarks>
/// fastJSON supports only strings: the whole text is in memory on both sides, as in SerializerTests. The default parameters write type
/// names ($types) and track references inside a graph; DateTime has a resolution of seconds unless DateTimeMilliseconds is set. Type names
/// are resolved by Type.GetType.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("fastJSON", DataFormat.Text, Library = "fastJSON", Notes = "Works on strings; the text of a stream is read first.")]
public sealed class FastJsonText<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private const int BufferSize = 1024; // the default of StreamReader and StreamWriter

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        using var text = new StreamWriter(stream, s_utf8, BufferSize, leaveOpen: true);
        text.Write(JSON.ToJSON(graph));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        using var text = new StreamReader(stream, s_utf8, detectEncodingFromByteOrderMarks: true, BufferSize, leaveOpen: true);
        return JSON.ToObject<TGraph>(text.ReadToEnd());
    }
}
