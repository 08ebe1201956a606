using System.Globalization;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>
/// Executes the subset of cmd.exe's language that our scripts use: variables, labels, goto, if, for over words, call of another script.
/// Programs are not run but logged; the test chooses which of them fail. An unknown line is an error, so that nothing is skipped.
/// </summary>
internal sealed partial class CmdSimulator(string folder, Func<string, int> run)
{
    private readonly Dictionary<string, string> _variables = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Commands of tools in the order of execution.</summary>
    public List<string> Commands { get; } = [];

    /// <summary>What was printed.</summary>
    public List<string> Output { get; } = [];

    /// <summary>Files that exist, by what was written to them.</summary>
    public Dictionary<string, string> Files { get; } = [];

    /// <summary>Sets a variable before a script is called.</summary>
    public CmdSimulator With(string name, string value)
    {
        _variables[name] = value;
        return this;
    }

    /// <summary>Calls a script.</summary>
    /// <returns>Its exit code.</returns>
    public int Call(string script, params string[] arguments)
    {
        var lines = File.ReadAllText(Path.Combine(folder, script)).Split("\r\n");
        var state = new State(lines, arguments);
        while (state.Next < lines.Length && state.Exit is null)
        {
            state.BeginLine();
            Line(lines[state.Next++], state);
        }

        ErrorLevel = state.Exit ?? ErrorLevel;
        return ErrorLevel;
    }

    private int ErrorLevel { get; set; }

    private void Line(string line, State state)
    {
        line = Expand(line, state).Trim();
        if (
            line.Length == 0
            || line.StartsWith(':')
            || line.StartsWith("rem ", StringComparison.Ordinal)
            || line is "@echo off" or "setlocal" or "setlocal EnableDelayedExpansion"
        )
            return;
        if (line.StartsWith("if ", StringComparison.Ordinal))
        {
            var match = If().Match(line);
            if (!match.Success)
                throw new InvalidOperationException($"unknown if: {line}");
            if (Holds(match) != match.Groups["not"].Success)
                Several(match.Groups["then"].Value, state);
            return;
        }

        if (line == "for /f \"tokens=1,2*\" %A in (\"!ALL_ARGUMENTS!\") do endlocal& set PROGRAM=%C")
        {
            SetVariable(
                "PROGRAM",
                _variables["ALL_ARGUMENTS"].Split(' ', 3, StringSplitOptions.RemoveEmptyEntries).ElementAtOrDefault(2) ?? ""
            );
            return;
        }

        if (ForIn().Match(line) is { Success: true } words)
        {
            foreach (var word in words.Groups["words"].Value.Split(' '))
            {
                Line(words.Groups["do"].Value.Replace(words.Groups["variable"].Value, word, StringComparison.Ordinal), state);
                if (state.HasJumped)
                    return;
            }

            return;
        }

        Several(line, state);
    }

    /// <summary>Commands joined by an ampersand.</summary>
    private void Several(string line, State state)
    {
        foreach (var command in line.Split("& "))
        {
            if (state.Exit is null && !state.HasJumped)
                One(command.Trim(), state);
        }
    }

    private void One(string command, State state)
    {
        if (Redirected().Match(command) is { Success: true } written)
        {
            var before = written.Groups["append"].Success ? Files[written.Groups["file"].Value] : "";
            Files[written.Groups["file"].Value] = before + written.Groups["text"].Value.Replace("^>", ">", StringComparison.Ordinal) + "\n";
        }
        else if (command.StartsWith("echo ", StringComparison.Ordinal))
            Output.Add(command[5..]);
        else if (Set().Match(command) is { Success: true } set)
            SetVariable(set.Groups["name"].Value, set.Groups["value"].Value);
        else if (ReadLine().Match(command) is { Success: true } read)
            _variables[read.Groups["name"].Value] = Files[read.Groups["file"].Value].TrimEnd();
        else if (command.StartsWith("del \"", StringComparison.Ordinal))
            Files.Remove(command[5..^1]);
        else if (command.StartsWith("goto ", StringComparison.Ordinal))
            state.Jump(command[5..]);
        else if (command.StartsWith("exit /b ", StringComparison.Ordinal))
            state.Exit = int.Parse(command[8..], CultureInfo.InvariantCulture);
        else if (CallOf().Match(command) is { Success: true } call)
            Call(call.Groups["script"].Value, call.Groups["arguments"].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        else if (
            command == "pause"
            || command.StartsWith("mkdir ", StringComparison.Ordinal)
            || command.StartsWith("timeout ", StringComparison.Ordinal)
        )
            Note(command);
        else if (Program().IsMatch(command))
            Note(command);
        else
            throw new InvalidOperationException($"unknown command: {command}");
    }

    /// <summary>A variable that is set to nothing is not defined.</summary>
    private void SetVariable(string name, string value)
    {
        if (value.Length == 0)
            _variables.Remove(name);
        else
            _variables[name] = value;
    }

    private void Note(string command)
    {
        Commands.Add(command);
        ErrorLevel = run(command);
    }

    private bool Holds(Match match) =>
        match.Groups["level"].Success ? ErrorLevel >= 1
        : match.Groups["defined"].Success ? _variables.ContainsKey(match.Groups["defined"].Value)
        : match.Groups["exist"].Success ? Files.ContainsKey(match.Groups["exist"].Value)
        : string.Equals(
            match.Groups["left"].Value,
            match.Groups["right"].Value,
            match.Groups["case"].Success ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal
        );

    private string Expand(string line, State state) =>
        Variable()
            .Replace(
                line,
                match =>
                    match.Value switch
                    {
                        "%%" => "%",
                        "%*" => string.Join(' ', state.Arguments),
                        "%~dp0" => "",
                        "%~1" => state.Arguments.ElementAtOrDefault(0) ?? "",
                        "%~2" => state.Arguments.ElementAtOrDefault(1) ?? "",
                        "%CD%" => "C:\\work",
                        "%ERRORLEVEL%" => ErrorLevel.ToString(CultureInfo.InvariantCulture),
                        var name => _variables.GetValueOrDefault(name.Trim('%'), ""),
                    }
            );

    [GeneratedRegex("%%|%\\*|%~dp0|%~[12]|%[A-Z_]+%")]
    private static partial Regex Variable();

    [GeneratedRegex(
        "^if (?<case>/i )?(?<not>not )?((?<level>errorlevel 1)|defined (?<defined>[A-Z_]+)|exist \"(?<exist>[^\"]*)\"|\"(?<left>[^\"]*)\"==\"(?<right>[^\"]*)\") (?<then>.*)$"
    )]
    private static partial Regex If();

    [GeneratedRegex("^for (?<variable>%P) in \\((?<words>[^)]*)\\) do (?<do>.*)$")]
    private static partial Regex ForIn();

    [GeneratedRegex("^set (\"(?<name>[A-Z_]+)=(?<value>[^\"]*)\"|(?<name>[A-Z_]+)=(?<value>.*))$")]
    private static partial Regex Set();

    [GeneratedRegex("^set /p (?<name>[A-Z_]+)=<\"(?<file>[^\"]*)\"$")]
    private static partial Regex ReadLine();

    [GeneratedRegex("^>(?<append>>)?\"(?<file>[^\"]*)\" echo (?<text>.*)$")]
    private static partial Regex Redirected();

    [GeneratedRegex("^call \"(?<script>[a-z]+\\.cmd)\" ?(?<arguments>.*)$")]
    private static partial Regex CallOf();

    [GeneratedRegex("^(xperf|tracelog|wpr|fltmc|where|explorer) ")]
    private static partial Regex Program();

    private sealed class State(string[] lines, string[] arguments)
    {
        public string[] Arguments { get; } = arguments;

        public int Next { get; set; }

        public int? Exit { get; set; }

        /// <summary>Whether the current line jumped.</summary>
        public bool HasJumped { get; private set; }

        public void Jump(string label)
        {
            var found = Array.FindIndex(lines, line => line.Equals(":" + label, StringComparison.OrdinalIgnoreCase));
            if (found < 0)
                throw new InvalidOperationException($"no label {label}");
            Next = found;
            HasJumped = true;
        }

        public void BeginLine() => HasJumped = false;
    }
}
