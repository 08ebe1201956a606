using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.DumpHook;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>What a dump is to be taken on: <c>TYPE[~MESSAGE][:N]</c>, <c>gc-pause&gt;MS</c>, <c>memory&gt;MB</c>, <c>hang&gt;S</c>.</summary>
public sealed partial record DumpTrigger
{
    private const string Forms = "write TYPE[~MESSAGE][:N], gc-pause>MS, memory>MB or hang>S, for example System.FormatException or 'gc-pause>50' (quoted: a shell takes > for itself)";

    /// <summary>Kinds by the name in front of their limit.</summary>
    private static readonly (string Name, DumpTriggerKind Kind, double Most)[] s_limits =
    [
        ("gc-pause", DumpTriggerKind.GcPause, 1e6),
        ("memory", DumpTriggerKind.Memory, 1e7),
        ("hang", DumpTriggerKind.Hang, 1e6),
    ];

    private DumpTrigger(string text, DumpTriggerKind kind, double limit, HookTrigger? exception)
    {
        Text = text;
        Kind = kind;
        Limit = limit;
        Exception = exception;
    }

    /// <summary>As the user wrote it.</summary>
    public string Text { get; }

    /// <summary>What it is taken on.</summary>
    public DumpTriggerKind Kind { get; }

    /// <summary>What must be exceeded: ms of a pause, MB (10^6 bytes) of resident memory, seconds without progress; 0 for an exception.</summary>
    public double Limit { get; }

    /// <summary>The exception that is waited for, null for other kinds.</summary>
    public HookTrigger? Exception { get; }

    /// <summary>Reads a trigger.</summary>
    /// <param name="text">The text.</param>
    /// <param name="trigger">The trigger, null when it is none.</param>
    /// <param name="error">What is wrong and what is accepted; empty when it could be read.</param>
    public static bool TryParse(string text, out DumpTrigger? trigger, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        trigger = null;
        error = "";
        foreach (var (name, kind, most) in s_limits)
        {
            if (!text.StartsWith(name + ">", StringComparison.Ordinal))
                continue;
            if (!double.TryParse(text[(name.Length + 1)..], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var limit) || limit <= 0 || limit > most)
            {
                error = string.Create(CultureInfo.InvariantCulture, $"'{text}': behind > stands a number above 0 and at most {most:0}");
                return false;
            }

            trigger = new DumpTrigger(text, kind, limit, null);
            return true;
        }

        var match = ExceptionPattern().Match(text);
        if (!match.Success || !HookSettings.IsText(text))
        {
            error = $"'{text}' is nothing to take a dump on: {Forms}";
            return false;
        }

        long number = 1;
        if (match.Groups["number"] is { Success: true } digits && (!long.TryParse(digits.ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out number) || number == 0))
        {
            error = $"'{text}': behind the last colon stands which throw it is, 1 or more (a message that ends so gets ':1' behind it)";
            return false;
        }

        trigger = new DumpTrigger(text, DumpTriggerKind.Exception, 0, new HookTrigger(match.Groups["type"].Value, match.Groups["message"].Value, number));
        return true;
    }

    /// <summary>As <see cref="TryParse"/> reads it.</summary>
    public override string ToString() => Text;

    /// <summary>What it waits for, for people.</summary>
    public string Describe() => Kind switch
    {
        DumpTriggerKind.GcPause => string.Create(CultureInfo.InvariantCulture, $"a collection that pauses longer than {Limit:0.###} ms"),
        DumpTriggerKind.Memory => string.Create(CultureInfo.InvariantCulture, $"more than {Limit:0.###} MB of resident memory"),
        DumpTriggerKind.Hang => string.Create(CultureInfo.InvariantCulture, $"no run begun or ended for {Limit:0.###} s; without marks less than 2 % of a processor used for as long"),
        _ => string.Create(CultureInfo.InvariantCulture, $"throw {Exception!.Number} of {Exception.TypeName}{(Exception.MessageText.Length > 0 ? $" whose message contains \"{Exception.MessageText}\"" : "")}"),
    };

    // A type's name as reflection writes it; then a message, which may have anything in it, a colon and digits at its end are the number.
    [GeneratedRegex(@"^(?<type>[\w.+`]+)(~(?<message>.+?))?(:(?<number>\d+))?$", RegexOptions.CultureInvariant | RegexOptions.Singleline)]
    private static partial Regex ExceptionPattern();
}
