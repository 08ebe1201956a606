using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace EtwSerializerProfiler.DumpHook;

/// <summary>
/// Receives every exception when it is thrown, before the runtime searches for a handler, and holds the thread if a trigger matches. After
/// each trigger has matched, it stops listening.
/// </summary>
internal sealed class ThrowWatch
{
    /// <summary>
    /// Whether this thread runs the hook. Exceptions thrown there, for example by a Message property of the program, are ignored.
    /// </summary>
    [ThreadStatic]
    private static bool s_inside;

    private readonly HookSettings _settings;

    /// <summary>Number of matching throws, by trigger.</summary>
    private readonly long[] _thrown;

    /// <summary>Triggers by exception type, empty for most types. Weak, so that an assembly can be unloaded.</summary>
    private readonly ConditionalWeakTable<Type, int[]> _triggers = new();

    /// <summary>Matching exceptions that were already seen: rethrowing one does not count again.</summary>
    private readonly ConditionalWeakTable<Exception, object> _seen = new();

    private readonly ConditionalWeakTable<Type, int[]>.CreateValueCallback _find;

    /// <summary>The last type without a trigger: most exceptions of a storm have the same type.</summary>
    private Type? _other;

    /// <summary>Number of triggers that have not acted yet.</summary>
    private int _left;

    public ThrowWatch(HookSettings settings)
    {
        _settings = settings;
        _thrown = new long[settings.Triggers.Count];
        _left = settings.Triggers.Count;
        _find = Find;
    }

    /// <summary>Starts listening.</summary>
    public void Begin()
    {
        if (_left > 0)
            AppDomain.CurrentDomain.FirstChanceException += OnThrown;
    }

    private void OnThrown(object? sender, FirstChanceExceptionEventArgs thrown)
    {
        if (ReferenceEquals(thrown.Exception.GetType(), _other) || s_inside)
            return;
        s_inside = true;
        try
        {
            Look(thrown.Exception);
        }
#pragma warning disable CA1031 // whatever a Message property or a socket throws, the program continues as without the hook
        catch (Exception)
#pragma warning restore CA1031
        { }
        finally
        {
            s_inside = false;
        }
    }

    private void Look(Exception exception)
    {
        var type = exception.GetType();
        var triggers = _triggers.GetValue(type, _find);
        if (triggers.Length == 0)
        {
            _other = type;
            return;
        }

        if (_seen.TryGetValue(exception, out _))
            return;
        _seen.Add(exception, this);
        var ticks = Stopwatch.GetTimestamp();
        string? message = null;
        foreach (var index in triggers)
        {
            var trigger = _settings.Triggers[index];
            if (trigger.MessageText.Length > 0 && !trigger.IsMessage(message ??= MessageOf(exception)))
                continue;
            if (Interlocked.Increment(ref _thrown[index]) != trigger.Number)
                continue;
            if (Interlocked.Decrement(ref _left) == 0)
                AppDomain.CurrentDomain.FirstChanceException -= OnThrown;
            HeldThread.Hold(
                _settings,
                new HookRequest(
                    HeldThread.ProcessId,
                    HeldThread.ThreadId,
                    Environment.CurrentManagedThreadId,
                    index,
                    trigger.Number,
                    ticks,
                    type.FullName ?? type.Name,
                    message ??= MessageOf(exception)
                )
            );
        }
    }

    private int[] Find(Type type)
    {
        var name = type.FullName ?? type.Name;
        return Enumerable.Range(0, _settings.Triggers.Count).Where(index => _settings.Triggers[index].IsType(name)).ToArray();
    }

    private static string MessageOf(Exception exception)
    {
        try
        {
            return exception.Message ?? "";
        }
#pragma warning disable CA1031 // runs code of the program
        catch (Exception)
#pragma warning restore CA1031
        {
            return "";
        }
    }
}
