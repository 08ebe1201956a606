using System.CommandLine;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>The option that names folders with PDB files; the local folders of _NT_SYMBOL_PATH are searched after them.</summary>
internal sealed class SymbolsOption
{
    private readonly Option<string[]> _paths = new("--symbols")
    {
        Description = "Folders with PDB files (as they are, as symbol servers lay them out, or in .snupkg, .nupkg and .zip files), or single files, for names of native functions in Windows traces and for source lines; also the local folders of _NT_SYMBOL_PATH. Nothing is downloaded.",
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

    /// <summary>The files; null when no folder was named.</summary>
    public PdbFiles? Files(ParseResult parsed)
    {
        string[] paths = [.. parsed.GetValue(_paths)!, .. SymbolPath.LocalFolders(Environment.GetEnvironmentVariable(SymbolPath.Variable)).Where(Path.Exists)];
        return paths.Length > 0 ? new PdbFiles(paths) : null;
    }
}
