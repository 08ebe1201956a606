namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Counts delivered buffers, for progress.</summary>
internal sealed class BufferProgress
{
    private readonly IProgress<EtlProgress> _receiver;
    private readonly string _name;
    private readonly long _bytes;
    private long _done;
    private bool _hasEnded;

    public BufferProgress(IProgress<EtlProgress> receiver, string name, long bytes)
    {
        (_receiver, _name, _bytes) = (receiver, name, bytes);
        Report(isEnd: false);
    }

    public void Advance(long bytes)
    {
        _done += bytes;
        Report(isEnd: false);
    }

    public void End()
    {
        if (_hasEnded)
            return;
        _hasEnded = true;
        Report(isEnd: true);
    }

    private void Report(bool isEnd) => _receiver.Report(new EtlProgress(_name, _done, _bytes, isEnd));
}
