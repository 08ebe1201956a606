using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.References;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.Tests.References;

/// <summary>Each rule on made-up assemblies that violate it, and on others that do not.</summary>
public sealed class ReferenceRuleTests : IDisposable
{
    private const string Core = ".NETCoreApp,Version=v9.0";
    private const string Framework = ".NETFramework,Version=v4.7.2";
    private const string Token = "30ad4fe6b2a6aeed";

    /// <summary>The public key of ECMA-335 II.6.2.1.3, whose token is b77a5c561934e089.</summary>
    private static readonly byte[] s_standardKey = Convert.FromHexString("00000000000000000400000000000000");

    private readonly TempFolder _folder = new();

    public ReferenceRuleTests()
    {
        // A framework of two assemblies, so that nothing depends on what is installed.
        new SyntheticAssembly("System.Runtime", "9.0.0.0").Write(Shared("Microsoft.NETCore.App", "9.0.2"));
        new SyntheticAssembly("System.Runtime", "10.0.0.0").Write(Shared("Microsoft.NETCore.App", "10.0.1"));
        new SyntheticAssembly("Microsoft.AspNetCore", "9.0.0.0").Write(Shared("Microsoft.AspNetCore.App", "9.0.2"));
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(0x70, true)]
    [InlineData(0x10, true)]
    [InlineData(0x171, true)]
    [InlineData(0x0, false)]
    [InlineData(0x100, false)]
    [InlineData(0x200, false)]
    public void Illegal_flags_of_references(uint flags, bool isFound)
    {
        Assembly("Rewritten").Reference("System.Runtime", "8.0.0.0", "b03f5f7f11d50a3a", flags).BuiltFor(Core).Write(App);

        var finding = Check().SingleOrDefault(finding => finding.Code == "reference-flags");

        Assert.Equal(isFound, finding is not null);
        if (finding is not null)
        {
            Assert.Equal(FindingKind.Warning, finding.Kind);
            Assert.Contains(
                $"Rewritten to System.Runtime 8.0.0.0 ({AssemblyReferenceFlags.Text(flags)})",
                finding.Text,
                StringComparison.Ordinal
            );
            Assert.Contains("InvalidCastException", finding.Advice, StringComparison.Ordinal);
            Assert.Equal(flags, Assert.Single(finding.Evidence).Value);
        }
    }

    [Theory]
    [InlineData(Core, "1.0.0.0", "2.0.0.0", true)]
    [InlineData(Core, "2.0.0.0", "2.0.0.0", false)]
    [InlineData(Core, "3.0.0.0", "2.0.0.0", false)]
    [InlineData(Framework, "3.0.0.0", "2.0.0.0", true)]
    [InlineData(Framework, "2.0.0.0", "2.0.0.0", false)]
    public void Versions_that_are_not_accepted(string framework, string found, string wanted, bool isRefused)
    {
        Assembly("Library", found, signed: true).BuiltFor(framework).Write(App);
        Assembly("App").Reference("Library", wanted, Library()).BuiltFor(framework).Write(App);

        Assert.Equal(isRefused, Codes().Contains("reference-version"));
    }

    [Fact]
    public void A_binding_redirect_makes_another_version_the_one_that_is_wanted()
    {
        Assembly("Library", "3.0.0.0", signed: true).BuiltFor(Framework).Write(App);
        Assembly("App").Reference("Library", "2.0.0.0", Library()).BuiltFor(Framework).Write(App);
        Assert.Contains("reference-version", Codes());
        File.WriteAllText(
            Path.Combine(App, "App.exe.config"),
            $"""
            <?xml version="1.0" encoding="utf-8"?>
            <configuration><runtime><assemblyBinding xmlns="urn:schemas-microsoft-com:asm.v1"><dependentAssembly>
              <assemblyIdentity name="Library" publicKeyToken="{Library()}" culture="neutral" /><bindingRedirect oldVersion="0.0.0.0-3.0.0.0" newVersion="3.0.0.0" />
            </dependentAssembly></assemblyBinding></runtime></configuration>
            """
        );
        Assert.DoesNotContain("reference-version", Codes());

        var redirected = Run().Set.References.Single(reference => reference.Entry.Identity.Name == "Library");
        Assert.Equal((new Version(3, 0, 0, 0), new Version(3, 0, 0, 0)), (redirected.RedirectedTo, redirected.FoundVersion));
    }

    [Fact]
    public void A_damaged_configuration_is_a_problem_and_no_end()
    {
        Assembly("App").BuiltFor(Framework).Write(App);
        File.WriteAllText(Path.Combine(App, "App.exe.config"), "<configuration>");
        File.WriteAllText(Path.Combine(App, "App.runtimeconfig.json"), "{ not json");

        Assert.Equal(2, Check().Count(finding => finding.Code == "input"));
    }

    [Fact]
    public void Frameworks_are_looked_up_by_the_version_that_the_program_is_for()
    {
        Assembly("App").Reference("Microsoft.AspNetCore", "9.0.0.0").Reference("Gone", "1.0.0.0").BuiltFor(Core).Write(App);
        Assert.Equal(
            [
                ("System.Runtime", ReferenceStatus.Framework, "9.0.0.0"),
                ("Microsoft.AspNetCore", ReferenceStatus.Framework, "9.0.0.0"),
                ("Gone", ReferenceStatus.Missing, null),
            ],
            Run().Set.References.Select(reference => (reference.Entry.Identity.Name, reference.Status, reference.FoundVersion?.ToString()))
        );

        File.WriteAllText(
            Path.Combine(App, "App.runtimeconfig.json"),
            """{ "runtimeOptions": { "framework": { "name": "Microsoft.NETCore.App", "version": "10.0.0" } } }"""
        );
        Assert.Equal("10.0.0.0", Run().Set.References[0].FoundVersion!.ToString());
    }

    [Fact]
    public void A_framework_that_is_older_than_what_is_wanted_is_refused()
    {
        Assembly("App").Reference("System.Runtime", "9.5.0.0", "b03f5f7f11d50a3a").BuiltFor(Core).Write(App);

        Assert.Contains(
            "App to System.Runtime 9.5.0.0 (found 9.0.0.0)",
            Check().Single(finding => finding.Code == "reference-version").Text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Missing_assemblies_are_named_with_who_wants_them_and_frameworks_of_other_systems_are_not()
    {
        Assembly("App").Reference("Gone", "1.0.0.0").Reference("PresentationCore", "4.0.0.0", "31bf3856ad364e35").BuiltFor(Core).Write(App);
        Assembly("Other").Reference("Gone", "1.0.0.0").BuiltFor(Core).Write(App);

        var finding = Check().Single(finding => finding.Code == "reference-missing");

        Assert.StartsWith(
            "assemblies are neither beside the program nor in the framework: Gone (for App and 1 more); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Contains(
            Run().Set.References,
            reference => reference is { Status: ReferenceStatus.OtherFramework, Entry.Identity.Name: "PresentationCore" }
        );
    }

    [Fact]
    public void Strong_names_that_do_not_fit()
    {
        Assembly("Unsigned").BuiltFor(Framework).Write(App);
        Assembly("App").Reference("Unsigned", "1.0.0.0", Token).BuiltFor(Framework).Write(App);
        Assembly("Signed", signed: true).Reference("Unsigned", "1.0.0.0").BuiltFor(Framework).Write(App);

        var finding = Check().Single(finding => finding.Code == "reference-key");

        Assert.Contains($"App to Unsigned 1.0.0.0 (wants {Token}, found none)", finding.Text, StringComparison.Ordinal);
        Assert.Contains("Signed to Unsigned 1.0.0.0 (signed, references an unsigned one)", finding.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Strong_names_that_fit()
    {
        Assembly("Library", signed: true).BuiltFor(Framework).Write(App);
        Assembly("App").Reference("Library", "1.0.0.0", Library()).BuiltFor(Framework).Write(App);

        Assert.Equal([], Codes());
    }

    [Theory]
    [InlineData(Machine.Amd64, Machine.I386, CorFlags.ILOnly | CorFlags.Requires32Bit, true)]
    [InlineData(Machine.Amd64, Machine.I386, CorFlags.ILOnly, false)]
    [InlineData(Machine.Amd64, Machine.Amd64, CorFlags.ILOnly, false)]
    [InlineData(Machine.Amd64, Machine.Arm64, CorFlags.ILOnly, true)]
    public void Different_processors(Machine app, Machine library, CorFlags flags, bool isFound)
    {
        new SyntheticAssembly("Library", "1.0.0.0") { Machine = library, Flags = flags }
            .BuiltFor(Core)
            .Write(App);
        new SyntheticAssembly("App", "1.0.0.0") { Machine = app }
            .Reference("Library", "1.0.0.0")
            .BuiltFor(Core)
            .Write(App);

        Assert.Equal(isFound, Codes().Contains("assembly-architecture"));
    }

    [Fact]
    public void How_assemblies_were_built()
    {
        Assembly("Slow").Debuggable(0x107).BuiltFor(Core).Write(App);
        Assembly("Fast").Debuggable(0x2).BuiltFor(Core).Write(App);
        Assembly("Contract").ForCompilers().BuiltFor(Core).Write(App);
        Assembly("Large", methods: 1500).Reference("Contract", "1.0.0.0").BuiltFor(Core).Write(App);
        File.WriteAllText(Path.Combine(App, "damaged.dll"), "MZ");

        Assert.Contains("Slow.dll (1 method);", Check().Single(finding => finding.Code == "assembly-debug").Text, StringComparison.Ordinal);
        Assert.Contains("Contract.dll;", Check().Single(finding => finding.Code == "assembly-reference").Text, StringComparison.Ordinal);
        Assert.Contains("damaged.dll (", Check().Single(finding => finding.Code == "assembly-unreadable").Text, StringComparison.Ordinal);

        // Only a program starts.
        Assert.DoesNotContain("assembly-il", Codes());
        File.WriteAllText(
            Path.Combine(App, "App.runtimeconfig.json"),
            """{ "runtimeOptions": { "framework": { "name": "Microsoft.NETCore.App", "version": "9.0.0" } } }"""
        );
        Assert.Contains(
            "Large.dll (1500 methods);",
            Check().Single(finding => finding.Code == "assembly-il").Text,
            StringComparison.Ordinal
        );
    }

    /// <summary>A program does not load from a folder of reference assemblies for compilers.</summary>
    [Fact]
    public void Reference_assemblies_that_refer_to_each_other_are_not_loaded()
    {
        Assembly("First").ForCompilers().Debuggable(0x107).BuiltFor(Core).Write(App);
        Assembly("Second").ForCompilers().Reference("First", "1.0.0.0").BuiltFor(Core).Write(App);
        Assert.Empty(Codes());

        Assembly("App").Reference("First", "1.0.0.0").BuiltFor(Core).Write(App);
        Assert.Equal(["assembly-reference"], Codes());
    }

    [Fact]
    public void Two_assemblies_of_one_name()
    {
        var first = Assembly("Library").BuiltFor(Core).Write(App);
        Directory.CreateDirectory(Path.Combine(App, "plugins"));
        File.Copy(first, Path.Combine(App, "plugins", "Library.dll"));
        Assembly("Library", "2.0.0.0").BuiltFor(Core).Write(Path.Combine(App, "runtimes", "win", "lib"));
        Assert.DoesNotContain("assembly-copies", Codes());

        Assembly("Library", "2.0.0.0").BuiltFor(Core).Write(Path.Combine(App, "other"));

        Assert.Contains(
            "Library.dll 1.0.0.0 and " + Path.Combine("other", "Library.dll") + " 2.0.0.0",
            Check().Single(finding => finding.Code == "assembly-copies").Text,
            StringComparison.Ordinal
        );
    }

    /// <summary>A plugin finds its program's assemblies.</summary>
    [Fact]
    public void References_are_looked_up_in_the_folders_above()
    {
        Assembly("Library").BuiltFor(Core).Write(App);
        Assembly("Plugin").Reference("Library", "1.0.0.0").BuiltFor(Core).Write(Path.Combine(App, "plugins", "one"));

        Assert.Equal(
            Path.Combine(App, "Library.dll"),
            Run().Set.References.Single(reference => reference.Entry.Identity.Name == "Library").Target!.Path
        );
    }

    [Fact]
    public void Where_nothing_is_to_be_read_is_said()
    {
        Assert.Contains(
            "does not exist",
            Assert.Throws<TraceFormatException>(() => AssemblySet.Open([Path.Combine(_folder.Path, "absent")])).Message,
            StringComparison.Ordinal
        );
        Directory.CreateDirectory(App);
        Assert.Contains(
            "name the folder of a build output",
            Assert.Throws<TraceFormatException>(() => AssemblySet.Open([App])).Message,
            StringComparison.Ordinal
        );
        File.WriteAllText(Path.Combine(App, "damaged.dll"), "MZ");
        Assert.Contains(
            "cannot be read",
            Assert.Throws<TraceFormatException>(() => AssemblySet.Open([App])).Message,
            StringComparison.Ordinal
        );
    }

    private string App => Path.Combine(_folder.Path, "app");

    private string Shared(string framework, string version) => Path.Combine(_folder.Path, "shared", framework, version);

    private static SyntheticAssembly Assembly(string name, string version = "1.0.0.0", bool signed = false, int methods = 1) =>
        new SyntheticAssembly(name, version) { PublicKey = signed ? s_standardKey : [], Methods = methods }.Debuggable(0x2);

    /// <summary>Token of the assemblies signed here.</summary>
    private static string Library() => "b77a5c561934e089";

    private ReferenceResult Run() =>
        ReferenceAnalysis.Run(AssemblySet.Open([App]), new SharedFrameworks(Path.Combine(_folder.Path, "shared")));

    private IReadOnlyList<Finding> Check() => Run().Findings;

    private IEnumerable<string> Codes() => Check().Select(finding => finding.Code);
}
