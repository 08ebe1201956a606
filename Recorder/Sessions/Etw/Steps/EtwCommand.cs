namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>A command of a step.</summary>
/// <param name="Program">Program name without a path: <c>xperf</c>.</param>
/// <param name="Arguments">Arguments, unquoted.</param>
public sealed record EtwCommand(string Program, IReadOnlyList<string> Arguments)
{
    /// <summary>Creates a command.</summary>
    public static EtwCommand Of(string program, params IEnumerable<string> arguments) => new(program, [.. arguments]);

    /// <summary>One line for cmd.exe.</summary>
    public override string ToString() => CmdText.Join([Program, .. Arguments]);

    /// <summary>Whether program and arguments are equal.</summary>
    public bool Equals(EtwCommand? other) => other is not null && other.Program == Program && other.Arguments.SequenceEqual(Arguments);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Program, Arguments.Count);
}
