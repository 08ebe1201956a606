namespace EtwSerializerProfiler.Dumps;

/// <summary>
/// The steps in which a dump is read. Native code of the runtime's debugging library takes part in most, and damaged memory can crash it: whoever watches this process learns which step it was in, and starts another
/// one that leaves the step out.
/// </summary>
public sealed class DumpStages
{
    private readonly Action<string> _entered;
    private readonly Dictionary<string, string> _left;

    /// <summary>Creates the steps.</summary>
    /// <param name="entered">Hears each step before it begins; null when nobody watches.</param>
    /// <param name="left">Steps to leave out, with the reason; null for none.</param>
    /// <param name="cancellation">Ends the reading.</param>
    public DumpStages(Action<string>? entered = null, IReadOnlyDictionary<string, string>? left = null, CancellationToken cancellation = default)
    {
        _entered = entered ?? (_ => { });
        _left = new Dictionary<string, string>(left ?? new Dictionary<string, string>(), StringComparer.Ordinal);
        Token = cancellation;
    }

    /// <summary>Ends the reading.</summary>
    public CancellationToken Token { get; }

    /// <summary>Steps that are left out, with the reason.</summary>
    public IReadOnlyDictionary<string, string> Left => _left;

    /// <summary>Begins a step.</summary>
    /// <returns>False when it is to be left out.</returns>
    public bool Enter(string stage)
    {
        if (_left.ContainsKey(stage))
            return false;
        _entered(stage);
        return true;
    }

    /// <summary>Why a step is left out; empty when it is not.</summary>
    public string ReasonOf(string stage) => _left.GetValueOrDefault(stage, "");
}
