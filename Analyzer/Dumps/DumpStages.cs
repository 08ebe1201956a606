namespace EtwSerializerProfiler.Dumps;

/// <summary>
/// The steps of reading a dump. Native code of the runtime's debugging library takes part in most of them, and damaged memory can crash it.
/// A watching process then knows the current step and starts another process that skips it.
/// </summary>
public sealed class DumpStages
{
    private readonly Action<string> _entered;
    private readonly Dictionary<string, string> _left;

    /// <summary>Creates the steps.</summary>
    /// <param name="entered">Notified before each step; null for no notification.</param>
    /// <param name="left">Steps to skip, with the reason; null for none.</param>
    /// <param name="cancellation">Cancels the analysis.</param>
    public DumpStages(
        Action<string>? entered = null,
        IReadOnlyDictionary<string, string>? left = null,
        CancellationToken cancellation = default
    )
    {
        _entered = entered ?? (_ => { });
        _left = new Dictionary<string, string>(left ?? new Dictionary<string, string>(), StringComparer.Ordinal);
        Token = cancellation;
    }

    /// <summary>Cancels the analysis.</summary>
    public CancellationToken Token { get; }

    /// <summary>Skipped steps with the reason.</summary>
    public IReadOnlyDictionary<string, string> Left => _left;

    /// <summary>Begins a step.</summary>
    /// <returns>False when the step must be skipped.</returns>
    public bool Enter(string stage)
    {
        if (_left.ContainsKey(stage))
            return false;
        _entered(stage);
        return true;
    }

    /// <summary>Why a step is skipped; empty when it is not.</summary>
    public string ReasonOf(string stage) => _left.GetValueOrDefault(stage, "");
}
