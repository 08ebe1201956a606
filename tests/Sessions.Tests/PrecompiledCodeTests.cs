using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Compares the methods named by precompiled assemblies with those that the runtime reports when it runs them.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class PrecompiledCodeTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-precompiled-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Files_place_and_name_methods_as_the_runtime_does()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await BothHalves.RecordAsync(_root, output, new Dictionary<string, string>(), inlineInfo: false, ["mixture", "50"]);
        var seen = new Seen();
        Assert.Single(TraceInputReader.Open([recorded.Folder]).Processes).Read(seen);

        var images = new Dictionary<string, ReadyToRunImage?>();
        var (found, instances) = (0, 0);
        foreach (var code in seen.Precompiled)
        {
            var mapping = seen.Mappings.LastOrDefault(mapping =>
                code.Start >= mapping.Start && code.Start < mapping.Start + mapping.Length
            );
            if (mapping.Path is null || !mapping.Path.EndsWith(".dll", StringComparison.Ordinal))
                continue;
            if (!images.TryGetValue(mapping.Path, out var image))
                images.Add(mapping.Path, image = ReadyToRunImage.Read(mapping.Path, _ => null));
            Assert.NotNull(image);
            Assert.True(image.Fits(mapping.FileOffset, mapping.Length), mapping.Path);
            Assert.True(
                image.TryFind(code.Start - mapping.Start + mapping.FileOffset, out var method, out var start, out var size),
                $"{code.Namespace}.{code.Name}"
            );
            Assert.Equal(code.Start, start - mapping.FileOffset + mapping.Start);
            var name = image.Name(method);
            Assert.NotNull(name);
            Assert.Equal((code.Namespace, code.Name, code.Size), (name.Type, name.Name, size));
            found++;
            instances += code.Namespace.Contains('[', StringComparison.Ordinal) ? 1 : 0;
        }

        Assert.True(found > 300, $"{found} precompiled methods"); // the start of any program runs more
        Assert.True(instances > 20, $"{instances} generic instances");
    }

    private sealed class Seen : IEventSubscriber
    {
        public List<MethodCode> Precompiled { get; } = [];

        public List<FileMapping> Mappings { get; } = [];

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<MethodCode>(OnMethodCode);
            hub.Subscribe<FileMapping>(OnFileMapped);
        }

        private void OnMethodCode(in MethodCode code)
        {
            if (code.Tier == CodeTier.ReadyToRun)
                Precompiled.Add(code);
        }

        private void OnFileMapped(in FileMapping mapping) => Mappings.Add(mapping);
    }
}
