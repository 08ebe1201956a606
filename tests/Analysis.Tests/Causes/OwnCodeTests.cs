using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Causes;

public sealed class OwnCodeTests
{
    [Theory]
    [InlineData("MyApp.dll", true)]
    [InlineData("Microsoft.CodeAnalysis.CSharp.dll", true)]
    [InlineData("Microsoft.EntityFrameworkCore.dll", true)]
    [InlineData("Microsoft.CSharp.dll", false)]
    [InlineData("Microsoft.AspNetCore.Routing.dll", false)]
    [InlineData("Microsoft.Extensions.Hosting.dll", false)]
    [InlineData("Microsoft.GeneratedCode", false)]
    [InlineData("System.Private.CoreLib.dll", false)]
    [InlineData("mscorlib.ni.dll", false)]
    [InlineData("[dynamic]", false)]
    public void Assemblies_outside_of_the_frameworks_are_the_programs(string module, bool isOwn) =>
        Assert.Equal(isOwn, OwnCode.IsOfProgram(CodeKind.Managed, module));

    [Theory]
    [InlineData("Contoso", "Contoso.Shop.dll", "", true)]
    [InlineData("contoso.shop", "App.dll", "Contoso.Shop.Orders", true)]
    [InlineData("#Contoso", "Contoso.Shop.dll", "Contoso.Shop", false)]
    [InlineData("#Contoso,#Contoso.Shop", "Contoso.Shop.dll", "", true)]
    [InlineData("Contoso", "Newtonsoft.Json.dll", "Newtonsoft.Json", false)]
    [InlineData("System.Text", "System.Text.Json.dll", "System.Text.Json", true)]
    public void Names_of_the_user_replace_the_rule(string names, string module, string space, bool isMine) =>
        Assert.Equal(
            isMine,
            OwnCode.IsMine(new CodeSymbol(CodeKind.Managed, module, space, "Type.Method", true, 1, CodeTier.Tier1), NamePattern.List(names))
        );

    [Fact]
    public void Names_of_the_user_choose_no_native_code() =>
        Assert.False(
            OwnCode.IsMine(
                new CodeSymbol(CodeKind.Native, "libcontoso.so", "", "contoso_run", true, 0, CodeTier.Unknown),
                NamePattern.List("contoso")
            )
        );

    [Fact]
    public void Native_code_is_not() => Assert.False(OwnCode.IsOfProgram(CodeKind.Native, "MyApp.dll"));

    /// <summary>Every assembly of the frameworks that run this test is the platform's; Windows' have native libraries, too.</summary>
    [Fact]
    public void The_frameworks_own_assemblies_are_the_platforms()
    {
        var frameworks = Directory.GetParent(Path.GetDirectoryName(typeof(object).Assembly.Location)!)!.Parent!;

        Assert.DoesNotContain(
            frameworks
                .GetFiles("Microsoft.*.dll", SearchOption.AllDirectories)
                .Where(file =>
                    file.FullName.Contains("App" + Path.DirectorySeparatorChar, StringComparison.Ordinal)
                    && !file.FullName.Contains("WindowsDesktop", StringComparison.Ordinal)
                    && !file.Name.Contains(".Native.", StringComparison.Ordinal)
                ),
            file => OwnCode.IsOfProgram(CodeKind.Managed, file.Name)
        );
    }
}
