using System.Runtime.CompilerServices;
using System.Text;
using EtwSerializerProfiler.Contract;
using Newtonsoft.Json;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Newtonsoft.Json, streaming through JsonTextWriter and JsonTextReader.</summary>
/// <param name="settings">
/// Reference tracking uses PreserveReferencesHandling.All; with known types, TypeNameHandling.Auto writes type names.
/// </param>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class NewtonsoftJson<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private const int BufferSize = 1024; // the default of StreamReader and StreamWriter

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private readonly JsonSerializer _serializer = JsonSerializer.Create(
        new JsonSerializerSettings
        {
            PreserveReferencesHandling = settings.ReferenceTracking ? PreserveReferencesHandling.All : PreserveReferencesHandling.None,
#pragma warning disable CA2326, CA2327 // it reads only its own output
            TypeNameHandling = settings.KnownTypes.Count > 0 ? TypeNameHandling.Auto : TypeNameHandling.None,
#pragma warning restore CA2326, CA2327
        }
    );

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        using var text = new StreamWriter(stream, s_utf8, BufferSize, leaveOpen: true);
        using var json = new JsonTextWriter(text);
        _serializer.Serialize(json, graph, typeof(TGraph));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        using var text = new StreamReader(stream, s_utf8, detectEncodingFromByteOrderMarks: true, BufferSize, leaveOpen: true);
        using var json = new JsonTextReader(text);
        return _serializer.Deserialize<TGraph>(json);
    }
}
