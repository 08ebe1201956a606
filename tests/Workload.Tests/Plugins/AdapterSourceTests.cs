using System.Text.RegularExpressions;
using System.Xml.Linq;
using EtwSerializerProfiler.Analysis.Catalog;

namespace EtwSerializerProfiler.Workload.Tests.Plugins;

/// <summary>Adapters whose packages are unavailable are not built, but their sources are checked.</summary>
public sealed partial class AdapterSourceTests
{
    private static readonly string s_folder = Path.Combine(TestFiles.Root, "Recorder", "Workload", "Adapters");

    private static readonly List<Source> s_sources =
    [
        .. Directory
            .EnumerateFiles(s_folder, "*.cs", SearchOption.AllDirectories)
            .Select(Source.Read)
            .Where(source => source.Serializer.Length > 0),
    ];

    private static readonly List<XElement> s_adapters =
    [
        .. XDocument.Load(Path.Combine(s_folder, "Adapters.props")).Descendants("Adapter"),
    ];

    public static TheoryData<string> Adapters => [.. s_adapters.Select(adapter => adapter.Attribute("Include")!.Value)];

    [Fact]
    public void The_catalog_has_every_serializer_of_the_adapters_and_no_other() =>
        Assert.Equal(
            s_sources.Select(source => $"{source.Serializer} {source.Type}").Order(StringComparer.Ordinal),
            AdapterCatalog.All.Select(entry => $"{entry.Name} {entry.EntryType}").Order(StringComparer.Ordinal)
        );

    [Fact]
    public void Names_are_those_of_one_serializer_only() =>
        Assert.Empty(
            AdapterCatalog
                .All.Concat(SuiteCatalog.All)
                .GroupBy(entry => entry.Name, StringComparer.OrdinalIgnoreCase)
                .Where(group => group.Count() > 1)
                .Select(group => group.Key)
        );

    [Fact]
    public void Every_folder_is_an_adapter_of_the_list() =>
        Assert.Equal(
            Directory
                .EnumerateFiles(s_folder, "*.csproj", SearchOption.AllDirectories)
                .Select(file => Path.GetFileNameWithoutExtension(file))
                .Where(name => name != "Packages")
                .Order(StringComparer.Ordinal),
            Adapters.Select(row => row.Data).Order(StringComparer.Ordinal)
        );

    [Theory]
    [MemberData(nameof(Adapters))]
    public void An_adapter_is_what_the_list_says(string name)
    {
        var adapter = s_adapters.Single(adapter => adapter.Attribute("Include")!.Value == name);
        var package = adapter.Attribute("Package")!.Value;
        var project = XDocument.Load(Path.Combine(s_folder, name, name + ".csproj"));
        var versions = XDocument
            .Load(Path.Combine(TestFiles.Root, "Directory.Packages.props"))
            .Descendants("ItemGroup")
            .Single(group => group.Attribute("Label")?.Value == "Adapters")
            .Elements();

        Assert.Equal([package], project.Descendants("PackageReference").Select(reference => reference.Attribute("Include")!.Value));
        Assert.Single(versions, version => version.Attribute("Include")!.Value == package);
        Assert.Equal(
            adapter.Attribute("Serializers")!.Value.Split(';').Order(StringComparer.Ordinal),
            s_sources
                .Where(source =>
                    AdapterCatalog.ModuleOf(new CatalogEntry("", source.Type, "", "")) == $"EtwSerializerProfiler.Adapters.{name}"
                )
                .Select(source => source.Serializer)
                .Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void Entry_methods_are_never_inlined() =>
        Assert.All(
            s_sources,
            source =>
            {
                foreach (var method in (string[])["void Serialize(Stream stream, ", "? Read(Stream stream)"])
                {
                    var lines = source.Text.Split('\n');
                    var at = Array.FindIndex(
                        lines,
                        line =>
                            line.Contains("protected override ", StringComparison.Ordinal)
                            && line.Contains(method, StringComparison.Ordinal)
                    );
                    Assert.True(at > 0, $"{source.Type} has no method '{method}'");
                    Assert.Equal("[MethodImpl(MethodImplOptions.NoInlining)]", lines[at - 1].Trim());
                }
            }
        );

    [Fact]
    public void An_adapter_says_what_is_to_be_known_of_its_library() =>
        Assert.All(s_sources, source => Assert.Contains("/// <remarks>", source.Text, StringComparison.Ordinal));

    private sealed partial record Source(string Text, string Serializer, string Type)
    {
        public static Source Read(string path)
        {
            var text = File.ReadAllText(path);
            var name = Name().Match(text);
            if (!name.Success)
                return new Source(text, "", "");
            var type = Class().Match(text, name.Index);
            return new Source(
                text,
                name.Groups[1].Value,
                $"{Namespace().Match(text).Groups[1].Value}.{type.Groups[1].Value}{(type.Groups[2].Success ? "`" : "")}"
            );
        }

        [GeneratedRegex("""\[SuiteSerializer\(\s*"([^"]+)",""")]
        private static partial Regex Name();

        [GeneratedRegex(@"public sealed class (\w+)(<TGraph>)?")]
        private static partial Regex Class();

        [GeneratedRegex(@"^namespace ([\w.]+);", RegexOptions.Multiline)]
        private static partial Regex Namespace();
    }
}
