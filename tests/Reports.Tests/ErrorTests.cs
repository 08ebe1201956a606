using EtwSerializerProfiler.Analyzer.Commands;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Every error of esp-analyze is printed as three lines: what, where, fix.</summary>
public sealed class ErrorTests : IDisposable
{
    private readonly TempFolder _folder = new();

    /// <summary>Commands that take recordings or files.</summary>
    public static TheoryData<string> Readers =>
        [
            .. RootCommandFactory
                .Create()
                .Subcommands.Where(command =>
                    command.Arguments.Any(argument => argument.Name.StartsWith("RECORDING", StringComparison.Ordinal))
                )
                .Select(command => command.Name),
        ];

    public void Dispose() => _folder.Dispose();

    /// <summary>Each with files that are missing, empty, of another kind, cut, mutated, folders, or unreadable.</summary>
    [Theory]
    [MemberData(nameof(Readers))]
    public void Files_that_cannot_be_read(string command)
    {
        string[] more =
            command == "export" ? ["--to", "speedscope", "-o", Path.Combine(_folder.Path, "out.json")]
            : command == "regions" ? ["--out", Path.Combine(_folder.Path, "regions")]
            : [];
        var empty = Directory.CreateDirectory(Path.Combine(_folder.Path, "empty")).FullName;
        var recording = File.ReadAllBytes(TestFiles.Unmarked);
        string[] files =
        [
            Path.Combine(_folder.Path, "missing.nettrace"),
            Path.Combine(_folder.Path, "missing.etl"),
            Path.Combine(_folder.Path, "no", "folder"),
            empty,
            _folder.Write("empty.nettrace", ""),
            _folder.Write("empty.etl", ""),
            _folder.Write("text.nettrace", "hello"),
            _folder.Write("text.etl", "hello"),
            _folder.Write("zip.etl.zip", "PK no zip"),
            _folder.Write("perf.data", "PERFILE2 and nothing more"),
            _folder.Write("cut.nettrace", recording[..20]),
            Changed("json", "{"),
            Changed("null", "null"),
            Changed("schema", "{\"schema\": 4711}"),
            _folder.Write("mutated.nettrace", [.. recording[..8], .. recording[8..].Select(value => (byte)~value)]),
            "",
        ];
        foreach (var file in files)
        {
            string[] paths = command is "diff" or "gate" ? [file, file] : [file];
            var (code, _, error) = Run([command, .. paths, .. more, "--quiet"]); // a loaded machine would show the progress of dump
            if (code == 0 && command == "references")
                continue;
            Assert.True(code is 2 or 3, $"{command} {file}: {code}: {error}");
            var (_, where, _) = ErrorLines.Check("esp-analyze", error);
            Assert.True(file.Length == 0 || where.Contains(Path.GetFileName(file), StringComparison.Ordinal), error);
        }
    }

    [Fact]
    public void A_file_that_may_not_be_read()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() || Environment.UserName == "root", "root, and Windows, may read all files");
        var file = _folder.Write("secret.nettrace", "x");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(file, UnixFileMode.None);

        var (code, _, error) = Run(file);

        Assert.Equal(3, code);
        Assert.Equal(file, ErrorLines.Check("esp-analyze", error).Where);
    }

    [Theory]
    [InlineData("", "RECORDING|FILE is missing", "--help")]
    [InlineData("--foramt csv x", "unknown option '--foramt'", "write --format")]
    [InlineData("causes x --precent", "unknown option '--precent'", "write --percent")]
    [InlineData("cpu x --zzz", "unknown option '--zzz'", "'esp-analyze cpu --help'")]
    [InlineData("x --format xml", "'xml' is not a valid value of --format", "table, csv, json, markdown")]
    [InlineData("x --format", "--format needs a value", "table, csv, json, markdown")]
    [InlineData("runs", "RECORDING|FILE is missing", "esp-analyze runs --help")]
    [InlineData("diff one", "'one' has nothing to compare with", "name two recordings, or one of two runtimes")]
    [InlineData("cuases x", "'cuases' is neither a command nor a file", "did you mean causes")]
    [InlineData("gate one --no-config", "nothing to compare with", "--baseline")]
    [InlineData("cpu x --top 0", "0 rows", "1 or more")]
    [InlineData("cpu x --top many", "'many' is not a valid value of --top", "--top N")]
    [InlineData("cpu x --tree --depth a", "'a' is not a valid value of --depth", "--depth N")]
    [InlineData("cpu x --tree --min-percent 101", "101", "0 to 100")]
    [InlineData("cpu x --tree --inclusive", "--inclusive", "leave out")]
    [InlineData("causes x --top 3", "--stacktags and --top need --wpa", "add --wpa")]
    [InlineData("causes x --kind some", "'some'", "measured, all")]
    [InlineData("exceptions x --stacks 0", "0 stacks", "1 or more")]
    [InlineData("events x --from soon", "'soon' is not a number of seconds", "2.5")]
    [InlineData("dump x --time-limit x", "'x' is not a valid value", "--time-limit")]
    [InlineData("dump x --dac none.so", "none.so", "debugging library")]
    [InlineData("dump a b c", "3 dumps", "one dump, or two")]
    [InlineData("dump x --heap --threads -f csv", "one table", "choose one")]
    [InlineData("dump x -f xml", "'xml'", "table")]
    [InlineData("export x", "--to is missing", "speedscope")]
    [InlineData("export x --to yaml", "'yaml'", "speedscope")]
    [InlineData("export x --to firefox --compress", "--compress", "leave it out")]
    [InlineData("export x --to etl --by run", "--by", "leave out --by")]
    [InlineData("gate a b --max-slowdown much", "'much' is not a percentage", "5%")]
    [InlineData("gate a b --metric beauty", "'beauty'", "wall")]
    [InlineData("trend a --metric beauty", "'beauty'", "wall")]
    [InlineData("x --symbols /no/such/folder", "/no/such/folder", "PDB")]
    [InlineData("references /no/such.dll", "does not exist", "name an existing")]
    [InlineData("diff x y --factor-out", "--factor-out needs a value", "CAUSES")]
    [InlineData("stacktags --out /proc/none", "cannot be written", "--out")]
    [InlineData("stacktags extra", "'extra'", "--help")]
    public void Wrong_command_lines(string line, string what, string fix)
    {
        var (code, output, error) = Run(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        Assert.NotEqual(0, code);
        Assert.Equal("", output);
        var problem = ErrorLines.Check("esp-analyze", error);
        Assert.Contains(what, problem.What, StringComparison.Ordinal);
        Assert.Contains(fix, problem.Fix, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cpu --serializer Nobody", "no run has the serializer 'Nobody'", "choose from ")]
    [InlineData("causes --serializer #Seria", "no run has the serializer '#Seria'", "")]
    [InlineData("causes --test Deserialise", "no run has the test 'Deserialise'", "did you mean Deserialize?")]
    [InlineData("cpu --process nobody", "no process 'nobody'", "")]
    [InlineData("table --format csv --nope", "unknown option", "--help")]
    public void Filters_that_leave_nothing(string line, string what, string fix)
    {
        var words = line.Split(' ');
        var (code, _, error) = Run([words[0], TestFiles.Recording, .. words[1..]]);

        Assert.True(code is 2 or 3, error);
        var problem = ErrorLines.Check("esp-analyze", error);
        Assert.True(
            problem.What.Contains(what, StringComparison.Ordinal) || problem.What.Contains("CPU samples", StringComparison.Ordinal),
            error
        );
        Assert.True(problem.Fix.Contains(fix, StringComparison.Ordinal) || code == 3, error);
    }

    [Fact]
    public void A_file_that_exists_is_not_replaced()
    {
        var file = _folder.Write("there.etl", "x");
        var (code, _, error) = Run("export", TestFiles.Recording, "--to", "etl", "-o", file);

        Assert.Equal(2, code);
        var problem = ErrorLines.Check("esp-analyze", error);
        Assert.Equal(("the file exists", file), (problem.What, problem.Where));
        Assert.Contains("--force", problem.Fix, StringComparison.Ordinal);
    }

    /// <summary>A recording's folder whose description is a text.</summary>
    private string Changed(string name, string description)
    {
        var path = Directory.CreateDirectory(Path.Combine(_folder.Path, name)).FullName;
        File.WriteAllText(Path.Combine(path, "recording.json"), description);
        return path;
    }
}
