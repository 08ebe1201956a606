using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Parsing;

/// <summary>
/// Errors of options with their fix. The parser's errors have no room for it, so it is stored under the string object of the error's
/// message.
/// </summary>
public static class OptionErrors
{
    private static readonly ConditionalWeakTable<string, OptionAdvice> s_advice = new();

    /// <summary>Adds an error.</summary>
    /// <param name="result">The result with the error.</param>
    /// <param name="what">What is wrong.</param>
    /// <param name="fix">What to write instead.</param>
    public static void AddError(this SymbolResult result, string what, string fix) =>
        AddError(result, $"{what}; {fix}", new OptionAdvice(what, fix));

    /// <summary>Adds an error with a separate message for programs that print one line.</summary>
    /// <param name="result">The result with the error.</param>
    /// <param name="message">The line.</param>
    /// <param name="advice">The problem and its fix.</param>
    public static void AddError(SymbolResult result, string message, OptionAdvice advice)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(advice);
        var own = new string(message.ToCharArray()); // a new object, because all errors with the same text would share a literal
        s_advice.Add(own, advice);
        result.AddError(own);
    }

    /// <summary>
    /// Adds a check that involves several options to a command. It is skipped when one of the values is invalid, because that is already an
    /// error.
    /// </summary>
    public static void Check(this Command command, Action<CommandResult> check)
    {
        ArgumentNullException.ThrowIfNull(command);
        ArgumentNullException.ThrowIfNull(check);
        command.Validators.Add(result =>
        {
            try
            {
                check(result);
            }
            catch (InvalidOperationException)
            {
                // The parser reports a missing value like this.
            }
        });
    }

    /// <summary>Whether a value fulfills a condition; false for text that is not a value, for which the parser reports an error.</summary>
    public static bool Has<T>(this OptionResult result, Func<T?, bool> isOne)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Has(result.GetValueOrDefault<T>, isOne);
    }

    /// <summary>Whether a value fulfills a condition; false for text that is not a value, for which the parser reports an error.</summary>
    public static bool Has<T>(this ArgumentResult result, Func<T?, bool> isOne)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Has(result.GetValueOrDefault<T>, isOne);
    }

    /// <summary>The fix for an error, by its message; null for the parser's own errors.</summary>
    public static OptionAdvice? Find(string message) => s_advice.TryGetValue(message, out var advice) ? advice : null;

    private static bool Has<T>(Func<T?> read, Func<T?, bool> isOne)
    {
        ArgumentNullException.ThrowIfNull(isOne);
        try
        {
            return isOne(read());
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }
}

/// <summary>A problem of a command line with its fix; the option is the location.</summary>
/// <param name="What">What is wrong.</param>
/// <param name="Fix">What to write instead.</param>
public sealed record OptionAdvice(string What, string Fix);
