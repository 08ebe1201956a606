using System.Globalization;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>
/// The name that a method has in C#: the compiler keeps the code of async methods, iterators, lambdas and local functions in types and
/// methods with names of its own.
/// </summary>
public static partial class SourceName
{
    /// <summary>The name of the method in whose source the code stands.</summary>
    /// <param name="name">Full name by the runtime: types nested by '+', then the method.</param>
    public static string Of(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (!name.Contains('<', StringComparison.Ordinal))
            return name;
        name = name.Replace("<Main>$", "Main", StringComparison.Ordinal); // of a program without a class
        name = StateMachine().Replace(name, "${type}.${method}");
        name = LocalFunction().Replace(name, "${type}.${method}.${local}");
        return Lambda()
            .Replace(
                name,
                match =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{match.Groups["type"]}.{match.Groups["method"]} (lambda {long.Parse(match.Groups["ordinal"].ValueSpan, CultureInfo.InvariantCulture) + 1})"
                    )
            );
    }

    // Type+<Method>d__3.MoveNext: async methods and iterators; the method may be a lambda.
    [GeneratedRegex(@"^(?<type>.*)\+<(?<method>(?:<[^>]*>[bg]__[^>]*)|[^<>]+)>d(?:__\d+)?(?:`\d+)?(?:\[.*\])?\.MoveNext$")]
    private static partial Regex StateMachine();

    // Type.<Method>g__Local|0_1, also of a closure's type
    [GeneratedRegex(@"^(?<type>.*?)(?:\+<>c[^.]*)?\.<(?<method>[^>]*)>\$?g__(?<local>[^|]+)\|[\d_]+$")]
    private static partial Regex LocalFunction();

    // Type+<>c.<Method>b__0_1, Type+<>c__DisplayClass0_0.<Method>b__1: the last number counts the method's lambdas from 0, in the order of
    // the source
    [GeneratedRegex(@"^(?<type>.*?)(?:\+<>c[^.]*)?\.<(?<method>[^>]*)>\$?b__(?:\d+_)*(?<ordinal>\d{1,9})$")]
    private static partial Regex Lambda();
}
