using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace EtwSerializerProfiler.DumpHook;

/// <summary>
/// The recorder's settings for the hook, in an environment variable of the program: so nothing needs to be requested or loaded before the
/// exception is thrown.
/// </summary>
public sealed class HookSettings
{
    /// <summary>Name of the variable.</summary>
    public const string Variable = "ESP_DUMP_HOOK";

    /// <summary>Separates socket, time limit and triggers. No path and no type name contains this character.</summary>
    private const char RecordSeparator = '\u001e';

    /// <summary>Separates the parts of a trigger.</summary>
    private const char PartSeparator = '\u001f';

    /// <summary>Creates settings.</summary>
    /// <param name="socket">Path of the recorder's socket.</param>
    /// <param name="holdLimit">Maximum time to hold a thread.</param>
    /// <param name="triggers">Exceptions to hold threads at.</param>
    public HookSettings(string socket, TimeSpan holdLimit, IReadOnlyList<HookTrigger> triggers)
    {
        Socket = socket;
        HoldLimit = holdLimit;
        Triggers = triggers;
    }

    /// <summary>Path of the recorder's socket.</summary>
    public string Socket { get; }

    /// <summary>Maximum time to hold a thread.</summary>
    public TimeSpan HoldLimit { get; }

    /// <summary>Exceptions to hold threads at.</summary>
    public IReadOnlyList<HookTrigger> Triggers { get; }

    /// <summary>Whether a text contains no separator.</summary>
    public static bool IsText(string text) =>
        text.IndexOf(RecordSeparator) < 0 && text.IndexOf(PartSeparator) < 0 && text.IndexOf('\0') < 0;

    /// <summary>Parses the variable's value.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out HookSettings? settings)
    {
        settings = null;
        var records = text?.Split(RecordSeparator) ?? Array.Empty<string>();
        if (
            records.Length < 3
            || records[0].Length == 0
            || !int.TryParse(records[1], NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
        )
            return false;
        var triggers = new List<HookTrigger>();
        foreach (var record in records.Skip(2))
        {
            var parts = record.Split(PartSeparator);
            if (parts.Length != 3 || !long.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out var number))
                return false;
            triggers.Add(new HookTrigger(parts[0], parts[1], number));
        }

        settings = new HookSettings(records[0], TimeSpan.FromMilliseconds(milliseconds), triggers);
        return true;
    }

    /// <summary>The variable's value.</summary>
    public override string ToString() =>
        string.Join(
            RecordSeparator,
            new[] { Socket, ((int)HoldLimit.TotalMilliseconds).ToString(CultureInfo.InvariantCulture) }.Concat(
                Triggers.Select(trigger =>
                    string.Join(PartSeparator, trigger.TypeName, trigger.MessageText, trigger.Number.ToString(CultureInfo.InvariantCulture))
                )
            )
        );
}
