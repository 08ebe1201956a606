using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Foundation.Progress;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>A pass over .etl files.</summary>
/// <param name="progress">Progress of the pass.</param>
internal sealed class EtlPass(ReadProgress progress) : IProgress<EtlProgress>
{
    private ReadPass? _pass;

    /// <inheritdoc />
    public void Report(EtlProgress value)
    {
        _pass ??= progress.Begin(value.Name, value.Bytes);
        _pass.Advance(value.Done - _pass.Done);
        if (value.IsEnd)
            _pass.End();
    }
}
