using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.DumpHook;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>What triggers a dump: <c>TYPE[~MESSAGE][:N]</c>, <c>gc-pause&gt;MS</c>, <c>memory&gt;MB</c>, <c>hang&gt;S</c>.</summary>
public sealed partial record DumpTrigger
{
    private const string Forms =
        "write TYPE[~MESSAGE][:N], gc-pause>MS, memory>MB or hang>S, for example System.FormatException or 'gc-pause>50' (in quotes, because > means redirection in a shell)";

    /// <summary>Kinds by the name before the limit.</summary>
    private static readonly (string Name, DumpTriggerKind Kind, double Max)[] s_limits =
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

    /// <summary>The text as the user wrote it.</summary>
    public string Text { get; }

    /// <summary>Kind of the trigger.</summary>
    public DumpTriggerKind Kind { get; }

    /// <summary>Limit to exceed: ms of a pause, MB (10^6 bytes) of resident memory, seconds without progress; 0 for an exception.</summary>
    public double Limit { get; }

    /// <summary>The exception that triggers; null for other kinds.</summary>
    public HookTrigger? Exception { get; }

    /// <summary>Parses a trigger.</summary>
    /// <param name="text">The text.</param>
    /// <param name="trigger">The trigger; null when the text is invalid.</param>
    /// <param name="error">What is wrong and what is accepted; empty when the text is valid.</param>
    public static bool TryParse(string text, out DumpTrigger? trigger, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        trigger = null;
        error = "";
        foreach (var (name, kind, max) in s_limits)
        {
            if (!text.StartsWith(name + ">", StringComparison.Ordinal))
                continue;
            if (
                !double.TryParse(text[(name.Length + 1)..], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var limit)
                || limit <= 0
                || limit > max
            )
            {
                error = string.Create(CultureInfo.InvariantCulture, $"'{text}': after > write a number greater than 0 and at most {max:0}");
                return false;
            }

            trigger = new DumpTrigger(text, kind, limit, null);
            return true;
        }

        var match = ExceptionPattern().Match(text);
        if (!match.Success || !HookSettings.IsText(text))
        {
            error = $"'{text}' is not a dump trigger: {Forms}";
            return false;
        }

        long number = 1;
        if (
            match.Groups["number"] is { Success: true } digits
            && (!long.TryParse(digits.ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out number) || number == 0)
        )
        {
            error =
                $"'{text}': after the last colon write the number of the throw, 1 or more (append ':1' to a message that ends like this)";
            return false;
        }

        trigger = new DumpTrigger(
            text,
            DumpTriggerKind.Exception,
            0,
            new HookTrigger(match.Groups["type"].Value, match.Groups["message"].Value, number)
        );
        return true;
    }

    /// <summary>The text that <see cref="TryParse"/> accepts.</summary>
    public override string ToString() => Text;

    /// <summary>Describes the trigger.</summary>
    public string Describe() =>
        Kind switch
        {
            DumpTriggerKind.GcPause => string.Create(CultureInfo.InvariantCulture, $"a GC that pauses longer than {Limit:0.###} ms"),
            DumpTriggerKind.Memory => string.Create(CultureInfo.InvariantCulture, $"more than {Limit:0.###} MB of resident memory"),
            DumpTriggerKind.Hang => string.Create(
                CultureInfo.InvariantCulture,
                $"no run begins or ends for {Limit:0.###} s; without run marks: less than 2 % of a processor used in that time"
            ),
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $"throw {Exception!.Number} of {Exception.TypeName}{(Exception.MessageText.Length > 0 ? $" whose message contains \"{Exception.MessageText}\"" : "")}"
            ),
        };

    // The type's name as reflection writes it, then a message, which may contain anything. A colon and digits at the end are the number.
    [GeneratedRegex(@"^(?<type>[\w.+`]+)(~(?<message>.+?))?(:(?<number>\d+))?$", RegexOptions.CultureInvariant | RegexOptions.Singleline)]
    private static partial Regex ExceptionPattern();
}
