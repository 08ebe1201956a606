using System.Globalization;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>
/// Adds the GCs, compilations and exceptions of one process to a profile, those outside of its runs, too; up to
/// <see cref="ProfileTables.MaxEvents"/> of a kind.
/// </summary>
/// <param name="scope">The process.</param>
/// <param name="tables">The profile.</param>
internal sealed class ProfileEventPass(ProfileScope scope, ProfileTables tables) : IEventSubscriber
{
    /// <summary>Longest message of an exception that is kept.</summary>
    private const int MaxMessageLength = 300;

    private readonly Suspensions _suspensions = new();

    /// <summary>Compilations under way: by thread and method their begin.</summary>
    private readonly Dictionary<(long Thread, long Method), long> _compiling = [];
    private readonly int[] _counts = new int[Enum.GetValues<ProfileEventKind>().Length];

    /// <summary>The GC that began last; the pause under way is its.</summary>
    private GcStarted? _gc;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<GcStarted>(OnGcStarted);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
        hub.Subscribe<JitStarted>(OnJitStarted);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        hub.Subscribe<ExceptionThrown>(OnExceptionThrown);
    }

    private void OnSuspendStarted(in SuspendStarted suspension)
    {
        _suspensions.Begin(suspension.At, suspension.Reason);
        _gc = null;
    }

    private void OnGcStarted(in GcStarted gc) => _gc = gc;

    private void OnRuntimeResumed(in RuntimeResumed resumed)
    {
        if (!_suspensions.TryEnd(resumed.At, out var start))
            return;
        var name = _gc is { } begun ? string.Create(CultureInfo.InvariantCulture, $"generation {begun.Generation}") : "background GC";
        Add(
            ProfileEventKind.Pause,
            resumed.At.ThreadId,
            start,
            resumed.At.Time,
            name,
            _gc is { } known
                ? string.Create(CultureInfo.InvariantCulture, $"number {known.Number}, {(GcReason)known.Reason}, {known.Kind}")
                : ""
        );
        _gc = null;
    }

    private void OnJitStarted(in JitStarted compilation) =>
        _compiling[(compilation.At.ThreadId, compilation.MethodId)] = compilation.At.Time;

    private void OnMethodLoaded(in MethodLoaded method)
    {
        if (!method.IsJitted || !_compiling.Remove((method.At.ThreadId, method.MethodId), out var start))
            return;
        if (HasRoom(ProfileEventKind.Compilation))
            Add(
                ProfileEventKind.Compilation,
                method.At.ThreadId,
                start,
                method.At.Time,
                method.Namespace.Length > 0 ? $"{method.Namespace}.{method.Name}" : method.Name.ToString(),
                method.Tier.ToString()
            );
    }

    private void OnExceptionThrown(in ExceptionThrown exception)
    {
        if (HasRoom(ProfileEventKind.Exception))
            Add(
                ProfileEventKind.Exception,
                exception.At.ThreadId,
                exception.At.Time,
                exception.At.Time,
                exception.Type.ToString(),
                exception.Message[..Math.Min(exception.Message.Length, MaxMessageLength)].ToString()
            );
    }

    private bool HasRoom(ProfileEventKind kind)
    {
        if (++_counts[(int)kind] <= ProfileTables.MaxEvents)
            return true;
        tables.Dropped[(int)kind]++;
        return false;
    }

    private void Add(ProfileEventKind kind, long thread, long start, long stop, string name, string detail) =>
        tables.Events.Add(new ProfileEvent(kind, scope.ThreadOf(thread), scope.Since(start), scope.Since(stop), name, detail));
}
