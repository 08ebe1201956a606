using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Parsing;

/// <summary>Errors of options with their advice, which the parser's own errors have no place for: it is kept beside the very string that is the error's message.</summary>
public static class OptionErrors
{
    private static readonly ConditionalWeakTable<string, OptionAdvice> s_advice = new();

    /// <summary>Adds an error.</summary>
    /// <param name="result">What it is said of.</param>
    /// <param name="what">What is wrong.</param>
    /// <param name="fix">What to write instead.</param>
    public static void AddError(this SymbolResult result, string what, string fix) => AddError(result, $"{what}; {fix}", new OptionAdvice(what, fix));

    /// <summary>Adds an error with a message of its own, for programs that print one line.</summary>
    /// <param name="result">What it is said of.</param>
    /// <param name="message">The line.</param>
    /// <param name="advice">The same in parts.</param>
    public static void AddError(SymbolResult result, string message, OptionAdvice advice)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(advice);
        var own = new string(message.ToCharArray()); // of its own: a literal would be shared by all errors that say the same
        s_advice.Add(own, advice);
        result.AddError(own);
    }

    /// <summary>Adds a check of several options at once to a command. It is left out where a value of one is wrong by itself: that is an error already.</summary>
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
                // The parser's way to say that there is no value.
            }
        });
    }

    /// <summary>Whether a value is one of a kind; false for text that is no value at all, of which the parser has an error of its own.</summary>
    public static bool Has<T>(this OptionResult result, Func<T?, bool> isOne)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Has(result.GetValueOrDefault<T>, isOne);
    }

    /// <summary>Whether a value is one of a kind; false for text that is no value at all, of which the parser has an error of its own.</summary>
    public static bool Has<T>(this ArgumentResult result, Func<T?, bool> isOne)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Has(result.GetValueOrDefault<T>, isOne);
    }

    /// <summary>The advice of an error by its message; null where the parser made it.</summary>
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

/// <summary>What is wrong with a command line, and what to do; where is the option that it was said of.</summary>
/// <param name="What">What is wrong.</param>
/// <param name="Fix">What to write instead.</param>
public sealed record OptionAdvice(string What, string Fix);
