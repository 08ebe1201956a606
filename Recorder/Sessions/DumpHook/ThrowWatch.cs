using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace EtwSerializerProfiler.DumpHook;

/// <summary>
/// Hears every exception at its throw, before any handler of the program is looked for, and holds the thread when it is one that is waited for. When each trigger has had its throw, it
/// listens no more.
/// </summary>
internal sealed class ThrowWatch
{
    /// <summary>Whether this thread is in the hook: what is thrown there, by a Message property of the program for example, is not looked at.</summary>
    [ThreadStatic]
    private static bool s_inside;

    private readonly HookSettings _settings;

    /// <summary>Matching throws so far, by trigger.</summary>
    private readonly long[] _thrown;

    /// <summary>Triggers by type of exception, empty for most; weak, so that an assembly can be unloaded.</summary>
    private readonly ConditionalWeakTable<Type, int[]> _triggers = new();

    /// <summary>Matching exceptions that were seen: one that is thrown again is no other throw.</summary>
    private readonly ConditionalWeakTable<Exception, object> _seen = new();

    private readonly ConditionalWeakTable<Type, int[]>.CreateValueCallback _find;

    /// <summary>The type that was no trigger's the last time: storms of exceptions are mostly of one type.</summary>
    private Type? _other;

    /// <summary>Triggers that have not had their throw yet.</summary>
    private int _left;

    public ThrowWatch(HookSettings settings)
    {
        _settings = settings;
        _thrown = new long[settings.Triggers.Count];
        _left = settings.Triggers.Count;
        _find = Find;
    }

    /// <summary>Begins to listen.</summary>
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
#pragma warning disable CA1031 // whatever a Message property throws, or a socket: the program goes on as without the hook
        catch (Exception)
#pragma warning restore CA1031
        {
        }
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
                new HookRequest(HeldThread.ProcessId, HeldThread.ThreadId, Environment.CurrentManagedThreadId, index, trigger.Number, ticks, type.FullName ?? type.Name, message ??= MessageOf(exception)));
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
#pragma warning disable CA1031 // code of the program
        catch (Exception)
#pragma warning restore CA1031
        {
            return "";
        }
    }
}
