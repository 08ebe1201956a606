using System.Collections;
using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>The recorder's arguments for the sampler.</summary>
/// <param name="Pipe">Path of the pipe's write end.</param>
/// <param name="SampleRateHz">Ticks per second.</param>
/// <param name="StackBytes">Bytes of stack in a sample.</param>
/// <param name="Variables">Variables of the program that differ from the sampler's own; a null value removes one.</param>
/// <param name="Command">Program and arguments.</param>
internal sealed record SamplerArguments(
    string Pipe,
    int SampleRateHz,
    int StackBytes,
    IReadOnlyDictionary<string, string?> Variables,
    IReadOnlyList<string> Command
)
{
    private const string Separator = "--";

    /// <summary>Parses the output of <see cref="Write"/>.</summary>
    public static SamplerArguments Parse(IReadOnlyList<string> arguments)
    {
        var variables = new Dictionary<string, string?>();
        var at = 3;
        for (; arguments[at] != Separator; at++)
        {
            var parts = arguments[at].Split('=', 2);
            variables[parts[0]] = parts.Length > 1 ? parts[1] : null;
        }

        return new SamplerArguments(
            arguments[0],
            int.Parse(arguments[1], CultureInfo.InvariantCulture),
            int.Parse(arguments[2], CultureInfo.InvariantCulture),
            variables,
            [.. arguments.Skip(at + 1)]
        );
    }

    /// <summary>The arguments.</summary>
    public IReadOnlyList<string> Write() =>
        [
            Pipe,
            SampleRateHz.ToString(CultureInfo.InvariantCulture),
            StackBytes.ToString(CultureInfo.InvariantCulture),
            .. Variables.Select(variable => variable.Value is null ? variable.Key : $"{variable.Key}={variable.Value}"),
            Separator,
            .. Command,
        ];

    /// <summary>The program's environment, <c>NAME=VALUE</c>.</summary>
    public IReadOnlyList<string> Environment()
    {
        var all = new Dictionary<string, string?>();
        foreach (DictionaryEntry variable in System.Environment.GetEnvironmentVariables())
            all[(string)variable.Key] = (string?)variable.Value;
        foreach (var (name, value) in Variables)
            all[name] = value;
        return [.. all.Where(variable => variable.Value is not null).Select(variable => $"{variable.Key}={variable.Value}")];
    }
}
