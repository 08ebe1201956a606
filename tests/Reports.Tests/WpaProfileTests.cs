using System.Globalization;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Profiles/Serializers.wpaProfile: like published view profiles, and without content that is known to break WPA.</summary>
public sealed class WpaProfileTests
{
    private const string Schema = "wpaProfile.xsd";

    private static readonly XNamespace s_namespace = "http://tempuri.org/SerializableElement.xsd";

    /// <summary>
    /// Graphs by GUID with the columns that published profiles have in them: GUID and name (tests/TestData/schemas/README.md names the
    /// profiles).
    /// </summary>
    private static readonly Dictionary<string, (string Name, string[] Columns)> s_graphs = new()
    {
        ["1ce7fd53-2344-4ea8-acd6-1a0722a51427"] = (
            "Regions of Interest",
            [
                "07ec3178-e4ce-4729-a918-f1cc44ee55b9 Region Friendly Name",
                "a310de95-c012-4af7-be28-f78dd2f71247 Instance Name",
                "d96b19f7-d47a-40f3-ba80-fe0b9fae4616 Region",
                "d0b2a5cb-1966-4fe9-919f-1383932b2d84 Start Process",
                "c74dbb74-97bf-4c5a-9b21-d967ce08df00 Start Thread",
                "9fd0ec98-a6a4-432d-b0f9-b032609923e5 Payload",
                "471b850d-c2bc-482d-871d-13fb7c13bd2a Region Guid",
                "abfa45ec-ef0f-4fdd-8a6d-1c93a140032b Duration",
                "93b276b8-d183-41b7-a16e-19eb9373dbf3 Start Time",
                "03facf2d-1d9f-43c7-b8e8-aed46477f348 Stop Time",
                "052aa8a8-ce86-486b-8cc9-158ac7d27113 Stop Thread",
            ]
        ),
        ["c58f5fea-0319-4046-932d-e695ebe20b47"] = (
            "CPU Usage (Precise)",
            [
                "b065487c-5e32-4f1f-a2cd-581e086ce29e New Process",
                "68482a06-b6a3-4eb9-922f-9fa43537148b New Thread Stack",
                "cb796d44-2927-5ac1-d231-4b71904c18f5 Thread Name",
                "944ed37a-5774-421e-b2d5-84f17a4b3a05 New Thread Id",
                "a91e1d66-1316-4baa-b95d-e69aeeef891e Readying Process",
                "74714606-d216-4cfa-a7d8-7ccb9c67de76 Ready Thread Stack",
                "d227f58f-ec9b-4a52-8fe5-e082771c55c6 Count",
                "17a03387-5d14-405a-a5b2-0201c934f917 Time Since Last",
                "6d598aa8-2ec4-46cd-b71a-88a239dfacf7 Waits",
                "906ea81e-ab68-4dfd-9b9f-3adafab60f83 Ready",
                "e008ed7a-15b0-40ab-854b-b5f6392f298b CPU Usage (in view)",
                "71d9a1a9-f32c-4b0b-8f09-09b56cbbb843 Last Switch-Out Time",
                "5417f63c-9b79-45aa-beb9-73e3c1959221 Switch-In Time",
            ]
        ),
        ["b855361e-7be0-4bc8-a754-3e8507715ca5"] = (
            "CPU Usage (Sampled)",
            [
                "5b77e48f-6d24-4f29-8972-69c30e32f87d Process",
                "842af11e-661d-477e-b7b6-556ed8181177 Stack",
                "cb796d44-2927-5ac1-d231-4b71904c18f5 Thread Name",
                "05100ece-df05-40c7-aad6-ffff99b60491 Thread ID",
                "ccdb05c1-04a9-4289-aaa6-a376d1d66012 Module",
                "7ad93780-708c-471c-9e3f-5a497cbefdd7 Function",
                "d0028ea0-aa66-452a-882a-616fd8b9fdce DPC/ISR",
                "01a82c2c-5048-4c9d-ac37-eaf6556f6af5 Count",
                "e0c6cb9e-04c2-4bb5-ba5f-4ed765f4ecaa Weight",
                "f5ebf01b-f7cb-4afb-877d-c36edb2a62b6 % Weight",
                "0bbf4299-0176-445e-b1d9-991df475d631 TimeStamp",
                "55d56ebb-77af-4af5-a056-6122751ea093 CPU",
            ]
        ),
    };

    private static string Folder => Path.Combine(TestFiles.Root, "Profiles");

    private static string Text => File.ReadAllText(Path.Combine(Folder, "Serializers.wpaProfile"));

    [Fact]
    public void It_is_as_published_profiles_are()
    {
        Assert.Empty(SchemaFile.Validate(Schema, Text));
        Assert.Empty(Check(Text));
    }

    [Fact]
    public void It_shows_runs_waits_by_stack_tag_as_bars_and_samples_by_cause()
    {
        var presets = XDocument.Parse(Text).Descendants(s_namespace + "Preset").ToList();

        var waits = presets.Find(preset => (string?)preset.Parent!.Attribute("Guid") == "c58f5fea-0319-4046-932d-e695ebe20b47")!;
        Assert.Null(waits.Attribute("GraphChartType")); // bars of intervals
        Assert.Equal("Last Switch-Out Time", Metadata(waits, "StartTime"));
        Assert.Equal("Time Since Last", Metadata(waits, "Duration"));
        foreach (var graph in (string[])["c58f5fea-0319-4046-932d-e695ebe20b47", "b855361e-7be0-4bc8-a754-3e8507715ca5"])
        {
            var keys = presets
                .Where(preset => (string?)preset.Parent!.Attribute("Guid") == graph)
                .Select(preset => preset.Descendants(s_namespace + "Column").Take((int)preset.Attribute("KeyColumnCount")!));
            Assert.All(
                keys,
                columns =>
                    Assert.Contains(
                        columns,
                        column => (string?)column.Element(s_namespace + "StackOptionsParameter")?.Attribute("Mode") == "StackTag"
                    )
            );
        }

        Assert.Contains(presets, preset => (string?)preset.Parent!.Attribute("Guid") == "1ce7fd53-2344-4ea8-acd6-1a0722a51427");

        static string? Metadata(XElement preset, string what) =>
            (string?)
                preset
                    .Descendants(s_namespace + "MetadataEntry")
                    .Single(entry => (string?)entry.Attribute("ColumnMetadata") == what)
                    .Attribute("Name");
    }

    [Theory]
    [InlineData("wpa-regions\\Runs.xml", "wpa-regions\\Run.xml", "names no file")]
    [InlineData("Regions.{51EF6868", "Region.{51EF6868", "ServiceMoniker")]
    [InlineData("842af11e-661d-477e-b7b6-556ed8181177", "842af11e-661d-477e-b7b6-556ed8181178", "no column")]
    [InlineData("c58f5fea-0319-4046-932d-e695ebe20b47", "c58f5fea-0319-4046-932d-e695ebe20b48", "no graph")]
    [InlineData("RightFrozenColumnCount=\"10\"", "RightFrozenColumnCount=\"0\"", "frozen")]
    [InlineData("KeyColumnCount=\"2\"", "KeyColumnCount=\"40\"", "columns")]
    [InlineData("ColumnMetadata=\"StartTime\"", "ColumnMetadata=\"Begin\"", "ColumnMetadata")]
    [InlineData("Mode=\"StackTag\"", "Mode=\"Tag\"", "Mode")]
    [InlineData("xsi:type=\"WpaProfile2\"", "", "abstract")]
    [InlineData("SortPriority=\"0\"", "SortPriority=\"1\"", "sorts")]
    public void A_profile_with_an_error_is_refused(string right, string wrong, string error)
    {
        var changed = Text.Replace(right, wrong, StringComparison.Ordinal);
        Assert.NotEqual(Text, changed);

        var errors = SchemaFile.Validate(Schema, changed);
        Assert.Contains(errors.Count > 0 ? errors : Check(changed), problem => problem.Contains(error, StringComparison.Ordinal));
    }

    private static List<string> Check(string text)
    {
        var errors = new List<string>();
        var file = XDocument.Parse(text);
        foreach (
            var reference in file.Descendants(s_namespace + "FileReference").Select(reference => (string)reference.Attribute("FileName")!)
        )
        {
            if (!File.Exists(Path.Combine(Folder, reference.Replace('\\', Path.DirectorySeparatorChar))))
                errors.Add($"{reference} names no file");
        }

        foreach (
            var group in file.Descendants(s_namespace + "View")
                .GroupBy(view => (string)view.Attribute("Guid")!)
                .Where(group => group.Count() > 1)
        )
            errors.Add($"several views {group.Key}");
        foreach (var graph in file.Descendants(s_namespace + "Graph"))
        {
            if (!s_graphs.TryGetValue((string)graph.Attribute("Guid")!, out var known))
            {
                errors.Add($"no graph {graph.Attribute("Guid")}");
                continue;
            }

            foreach (var preset in graph.Elements(s_namespace + "Preset"))
                errors.AddRange(Check(preset, known.Columns).Select(error => $"{known.Name}, {preset.Attribute("Name")}: {error}"));
        }

        return errors;
    }

    private static IEnumerable<string> Check(XElement preset, string[] known)
    {
        var columns = preset.Descendants(s_namespace + "Column").ToList();
        foreach (var named in columns.Concat(preset.Descendants(s_namespace + "MetadataEntry")))
        {
            if (!known.Contains($"{(string?)named.Attribute("Guid")} {(string?)named.Attribute("Name")}"))
                yield return $"no column {named.Attribute("Guid")} {named.Attribute("Name")}";
        }

        // The left bar right of the right one ends WPA at a right click (a correction in microsoft/MSO-Scripts says so).
        if (Number("LeftFrozenColumnCount") >= Number("RightFrozenColumnCount"))
            yield return "the left frozen columns reach beyond the right ones";
        if (Number("KeyColumnCount") > columns.Count || Number("GraphColumnCount") > columns.Count + 2)
            yield return "more key or graph columns than columns";
        var priorities = columns.Select(column => (int)column.Attribute("SortPriority")!).ToList();
        if (
            priorities.Distinct().Count() != priorities.Count
            || !priorities.Contains(0)
            || columns[priorities.IndexOf(0)].Attribute("SortOrder") is null
        )
            yield return "no column sorts, or two have the same place";

        int Number(string attribute) => int.Parse((string)preset.Attribute(attribute)!, CultureInfo.InvariantCulture);
    }
}
