using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

public sealed class MyCodeTests
{
    [Fact]
    public void The_recording_says_what_own_code_is_and_the_command_line_overrides_it()
    {
        using var folder = new TempFolder();
        foreach (var source in Directory.GetFiles(TestFiles.Recording))
            File.Copy(source, Path.Combine(folder.Path, Path.GetFileName(source)));
        RecordingFile.Write(folder.Path, RecordingFile.Read(folder.Path) with { MyCode = ["Contoso", "#Shop"] });

        Assert.Equal(["Contoso", "#Shop"], Names(folder.Path));
        Assert.Equal(["Fabrikam"], Names(TracePart.WithMyCode(folder.Path, ["Fabrikam"])));
        Assert.Empty(Names(TestFiles.Recording)); // from before there were names
        Assert.Equal(["Fabrikam"], Names(TracePart.WithMyCode(TestFiles.Unmarked, ["Fabrikam"])));

        static IEnumerable<string> Names(string path) =>
            SymbolFiles.Of(TraceInputReader.Open([path])).MyCode.Select(name => name.ToString());
    }
}
