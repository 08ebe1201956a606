using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The managed code of a process: which method lived at an address at a time. Filled by a pass over <see cref="TraceCapabilities.MethodCode"/>.
/// </summary>
/// <remarks>
/// Jitted code lives from its load event to its unload event or until other code takes its place. Precompiled code has its place in its file for good,
/// also before it was first called. Code that only the rundown names was there before the session began.
/// </remarks>
public sealed class ManagedCodeMap : TraceVisitor
{
    /// <summary>The JIT makes no larger method; a larger size is damage, and would make look-ups slow.</summary>
    private const uint LargestCode = 64 << 20;

    private readonly List<MethodCode> _codes = [];
    private readonly AddressTimeline _timeline = new();
    private readonly Dictionary<long, string> _modules = [];

    /// <summary>Names of the modules' files.</summary>
    private readonly HashSet<string> _moduleFiles = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The code that lives at a start address, as far as the events have told: its method and its number in the timeline.</summary>
    private readonly Dictionary<ulong, (long MethodId, int Number)> _living = [];

    /// <summary>Pieces of code known.</summary>
    public int Count => _codes.Count;

    /// <inheritdoc />
    public override void OnMethodCode(in MethodCode code)
    {
        if (code.Size is 0 or > LargestCode)
            return;
        if (_living.TryGetValue(code.Start, out var living))
        {
            // The rundown repeats what a load event has told, and a precompiled method is loaded again for each of its entry points.
            if (living.MethodId == code.MethodId || code.IsRundown)
                return;
            _timeline.End(living.Number, code.At.Time);
        }

        var wasThere = code.IsRundown || code.Tier == CodeTier.ReadyToRun;
        var number = _timeline.Add(code.Start, code.Size, wasThere ? long.MinValue : code.At.Time, _codes.Count);
        if (number < 0)
            return;
        _codes.Add(code);
        _living[code.Start] = (code.MethodId, number);
    }

    /// <inheritdoc />
    public override void OnMethodCodeFreed(in EventAt at, ulong start)
    {
        if (_living.Remove(start, out var living))
            _timeline.End(living.Number, at.Time);
    }

    /// <inheritdoc />
    public override void OnModuleLoaded(in EventAt at, long moduleId, string path)
    {
        _modules[moduleId] = path;
        _moduleFiles.Add(path[(path.LastIndexOfAny(['/', '\\']) + 1)..]);
    }

    /// <summary>Whether the runtime loaded a module from a file of this name.</summary>
    public bool HasModuleFile(string fileName) => _moduleFiles.Contains(fileName);

    /// <summary>The module of a piece of code: its file or name, empty when no event tells it.</summary>
    public string Module(in MethodCode code) => _modules.GetValueOrDefault(code.ModuleId, "");

    /// <summary>Whether any code ever began in a range.</summary>
    public bool HasCodeIn(ulong start, ulong length) => _timeline.AnyIn(start, start + length);

    /// <summary>Looks an address up.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">When, in ticks of the trace's clock.</param>
    /// <param name="code">The code that lived there.</param>
    /// <param name="validFrom">The answer is the same from this time on …</param>
    /// <param name="validTo">… up to, but without this one.</param>
    public bool TryFind(ulong address, long time, out MethodCode code, out long validFrom, out long validTo)
    {
        _timeline.Find(address, time, out var found, out validFrom, out validTo);
        code = found.Value >= 0 ? _codes[found.Value] : default;
        return found.Value >= 0;
    }
}
