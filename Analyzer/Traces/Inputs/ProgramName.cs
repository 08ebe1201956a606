using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Finds the name of a program from its command line.</summary>
public static class ProgramName
{
    private static readonly string[] s_hostCommands = ["exec", "run"];

    /// <summary>
    /// The file name without folder and extension; for <c>dotnet [exec] app.dll …</c> that of the application.
    /// </summary>
    /// <param name="command">Program, followed by its arguments.</param>
    /// <returns>Empty when there is no command.</returns>
    public static string Of(IReadOnlyList<string> command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (command.Count == 0)
            return "";
        var program = Stem(command[0]);
        if (!program.Equals("dotnet", StringComparison.OrdinalIgnoreCase))
            return program;
        var application = command.Skip(1).FirstOrDefault(argument => !argument.StartsWith('-') && !s_hostCommands.Contains(argument));
        return application is null ? program : Stem(application);
    }

    /// <summary>
    /// Like <see cref="Of(IReadOnlyList{string})"/> for a command line in one string; blanks separate its arguments, quotes join them.
    /// </summary>
    public static string Of(string commandLine) => Of(CommandLineText.Split(commandLine));

    private static string Stem(string path)
    {
        var name = path[(path.LastIndexOfAny(['/', '\\']) + 1)..];
        return name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ? name[..^4]
            : name;
    }
}
