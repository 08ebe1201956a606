namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary>
/// Scripts that make a shell ask the tool for completions at the cursor. They pass the line up to the cursor after the directive
/// [suggest:LENGTH] and read one candidate per line. If the tool has none, the shell offers files.
/// </summary>
public static class CompletionScript
{
    private const string Bash = """
        # bash completion of TOOL, created by 'TOOL completions bash'. For this shell: eval "$(TOOL completions bash)"
        # For all: TOOL completions bash > ~/.local/share/bash-completion/completions/TOOL
        _FUNCTION_completions() {
            local line=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} candidate
            local word=${line##*[[:space:]]}
            # bash also breaks words at = and : and replaces the text after the last of them.
            local kept=${word%"$current"}
            COMPREPLY=()
            while IFS= read -r candidate; do
                [[ -n $candidate ]] && COMPREPLY+=("${candidate#"$kept"}")
            done < <("${COMP_WORDS[0]}" "[suggest:${#line}]" "$line" 2>/dev/null)
        }
        complete -o default -o bashdefault -F _FUNCTION_completions TOOL
        """;

    private const string Zsh = """
        #compdef TOOL
        # zsh completion of TOOL, made by 'TOOL completions zsh'. For this shell: source <(TOOL completions zsh)
        # For all: TOOL completions zsh > a folder of $fpath/_TOOL
        _FUNCTION_completions() {
            local line="${(j: :)words[1,CURRENT]}"
            local -a candidates
            candidates=("${(@f)$("${words[1]}" "[suggest:${#line}]" "$line" 2>/dev/null)}")
            candidates=(${candidates:#})
            if (( ${#candidates} )); then
                compadd -- $candidates
            else
                _files
            fi
        }
        (( $+functions[compdef] )) && compdef _FUNCTION_completions TOOL
        """;

    private const string Fish = """
        # fish completion of TOOL, made by 'TOOL completions fish'. For this shell: TOOL completions fish | source
        # For all: TOOL completions fish > ~/.config/fish/completions/TOOL.fish
        function _FUNCTION_completions
            set -l line (commandline --cut-at-cursor --current-process | string collect)
            TOOL "[suggest:"(string length -- "$line")"]" "$line" 2>/dev/null
        end
        complete --command TOOL --arguments '(_FUNCTION_completions)'
        """;

    private const string Pwsh = """
        # PowerShell completion of TOOL, made by 'TOOL completions pwsh'. For this shell: TOOL completions pwsh | Out-String | Invoke-Expression
        # For all: the same line in the file $PROFILE
        Register-ArgumentCompleter -Native -CommandName TOOL -ScriptBlock {
            param($wordToComplete, $commandAst, $cursorPosition)
            $line = $commandAst.ToString()
            if ($cursorPosition -gt $line.Length) { $line += ' ' } elseif ($cursorPosition -gt 0) { $line = $line.Substring(0, $cursorPosition) }
            & TOOL "[suggest:$($line.Length)]" $line 2>$null | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
            }
        }
        """;

    /// <summary>Creates the script for a shell.</summary>
    /// <param name="shell">The shell.</param>
    /// <param name="tool">Name of the tool.</param>
    public static string Of(ShellKind shell, string tool)
    {
        ArgumentNullException.ThrowIfNull(tool);
        var script = shell switch
        {
            ShellKind.Bash => Bash,
            ShellKind.Zsh => Zsh,
            ShellKind.Fish => Fish,
            _ => Pwsh,
        };
        return script
            .Replace("FUNCTION", tool.Replace('-', '_'), StringComparison.Ordinal)
            .Replace("TOOL", tool, StringComparison.Ordinal)
            .ReplaceLineEndings("\n");
    }
}
