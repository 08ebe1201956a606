using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Recorder.Commands;
using YamlDotNet.RepresentationModel;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// The files that users copy to run the tools in containers: they are YAML, contain everything that they refer to, and their commands
/// parse, as do those of the list of commands. No container is run.
/// </summary>
public sealed class ContainerFileTests
{
    private const string Compose = "examples/containers/compose.yaml",
        Pod = "examples/containers/kubernetes.yaml",
        Job = "scripts/fleet/kubernetes-job.yaml",
        Page = "docs/containers.md";

    [Fact]
    public void Services_of_the_compose_file_share_volumes_and_process_ids_that_it_has()
    {
        var root = Read(Compose);
        var services = Map(root["services"]);
        var volumes = Map(root["volumes"]).Keys;
        foreach (var service in services.Values)
        {
            Assert.NotEmpty(Text(service["image"]));
            Assert.All(Sources(service), source => Assert.True(source[0] == '.' || volumes.Contains(source), source));
        }

        // The sidecar sees the program's processes, and its diagnostic port.
        Assert.Equal("service:app", Text(services["sidecar"]["pid"]));
        Assert.Contains("tmp", Sources(services["app"]));
        Assert.Contains("tmp", Sources(services["sidecar"]));
        Assert.Equal("host", Text(services["host"]["pid"]));

        static IEnumerable<string> Sources(YamlNode service) =>
            Map(service).TryGetValue("volumes", out var mounts) ? Items(mounts).Select(mount => Text(mount).Split(':')[0]) : [];
    }

    [Fact]
    public void Containers_of_the_pod_share_volumes_and_process_ids()
    {
        var spec = Map(Read(Pod)["spec"]);
        Assert.Equal("true", Text(spec["shareProcessNamespace"]));
        var volumes = Items(spec["volumes"]).Select(volume => Text(volume["name"])).ToList();
        Assert.All(
            Items(spec["containers"]),
            container =>
            {
                var mounts = Items(container["volumeMounts"]).ToDictionary(mount => Text(mount["name"]), mount => Text(mount["mountPath"]));
                Assert.All(mounts.Keys, name => Assert.Contains(name, volumes));
                Assert.Equal("/tmp", mounts["tmp"]);
            }
        );
    }

    [Fact]
    public void The_job_of_the_fleet_is_yaml() => Assert.Equal("Job", Text(Read(Job)["kind"]));

    [Theory]
    [InlineData(Compose, 2)]
    [InlineData(Pod, 1)]
    [InlineData(Page, 9)]
    [InlineData("docs/commands.md", 45)]
    public void Commands_parse(string file, int min)
    {
        var lines = File.ReadAllLines(Path.Combine(Tool.Sources, file));
        var commands = lines.SelectMany(DocumentTests.Commands).ToList();
        if (file == Compose)
            commands.AddRange(
                Map(Read(file)["services"])
                    .Values.Select(service => Map(service))
                    .Where(service => service.ContainsKey("entrypoint"))
                    .Select(service => Items(service["entrypoint"]).Select(Text).ToArray())
                    .Select(words => (words[0], words[1..]))
            );

        Assert.True(commands.Count >= min, $"{commands.Count} commands");
        Assert.All(
            commands,
            command =>
            {
                var (tool, words) = command;
                string[] arguments = [.. words.Select(word => word == "PID" ? "4711" : word)];
                var parsed = tool == EspRecord.ToolName ? EspRecord.Parse(arguments, out _) : RootCommandFactory.Create().Parse(arguments);
                Assert.Null(ParseProblems.Of(parsed, tool));
            }
        );
    }

    private static YamlNode Read(string file)
    {
        using var text = File.OpenText(Path.Combine(Tool.Sources, file));
        var stream = new YamlStream();
        stream.Load(text);
        return Assert.Single(stream.Documents).RootNode;
    }

    private static Dictionary<string, YamlNode> Map(YamlNode node) =>
        Assert.IsType<YamlMappingNode>(node).Children.ToDictionary(child => Text(child.Key), child => child.Value);

    private static IEnumerable<YamlNode> Items(YamlNode node) => Assert.IsType<YamlSequenceNode>(node).Children;

    private static string Text(YamlNode node) => Assert.IsType<YamlScalarNode>(node).Value ?? "";
}
