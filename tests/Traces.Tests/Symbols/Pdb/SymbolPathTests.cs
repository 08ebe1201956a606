using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Pdb;

public sealed class SymbolPathTests
{
    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("https://msdl.microsoft.com/download/symbols")]
    [InlineData("srv*https://msdl.microsoft.com/download/symbols")]
    [InlineData("srv**https://msdl.microsoft.com/download/symbols")]
    [InlineData(@"srv*\\server\symbols;cache*")]
    public void Nothing_of_another_machine_is_taken(string? value) => Assert.Empty(SymbolPath.LocalFolders(value));

    [Theory]
    [InlineData(@"srv*C:\cache*https://msdl.microsoft.com/download/symbols", @"C:\cache")]
    [InlineData("srv*/cache*https://msdl.microsoft.com/download/symbols", "/cache")]
    [InlineData("SRV*/a*/b*http://x ; /c", "/a|/b|/c")]
    [InlineData("symsrv*symsrv.dll*/a*https://x;cache*/d;/a", "/a|/d")]
    public void Local_folders_are(string value, string expected) => Assert.Equal(expected.Split('|'), SymbolPath.LocalFolders(value));
}
