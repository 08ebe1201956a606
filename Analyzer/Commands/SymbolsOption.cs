using System.CommandLine;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Option for PDB and debug files; the local folders of _NT_SYMBOL_PATH are searched after them.</summary>
internal sealed class SymbolsOption
{
    private readonly Option<string[]> _paths = new("--symbols")
    {
        Description =
            "PDB files, or folders of them (plain, in the layout of symbol servers, or in .snupkg, .nupkg and .zip files), for names of native functions in Windows traces and for source lines; debug files of Linux programs (by build id or .gnu_debuglink), or folders of them. The local folders of _NT_SYMBOL_PATH are searched, too. Nothing is downloaded.",
        HelpName = "PATH",
        DefaultValueFactory = _ => [],
    };

    /// <summary>Adds the option to a command.</summary>
    public void AddTo(Command command)
    {
        _paths.Validators.Add(result =>
        {
            foreach (var token in result.Tokens.Where(token => !Path.Exists(token.Value)))
                result.AddError($"there is no '{token.Value}'", "name a folder with PDB files, or a file");
        });
        command.Options.Add(_paths);
    }

    /// <summary>Opens the PDB files; null when no path was named.</summary>
    public PdbFiles? Files(ParseResult parsed)
    {
        string[] paths =
        [
            .. parsed.GetValue(_paths)!,
            .. SymbolPath.LocalFolders(Environment.GetEnvironmentVariable(SymbolPath.Variable)).Where(Path.Exists),
        ];
        return paths.Length > 0 ? new PdbFiles(paths) : null;
    }
}
