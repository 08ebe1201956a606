using System.Reflection;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

public sealed class SurfaceTests
{
    [Fact]
    public void Few_types_are_public() =>
        Assert.Equal(
            ["SerializerProfileAttribute", "SerializerProfileConfig", "SerializerProfileDiagnoser", "SerializerProfileOptions"],
            typeof(SerializerProfileDiagnoser).Assembly.GetExportedTypes().Select(type => type.Name).Order(StringComparer.Ordinal)
        );

    [Fact]
    public void The_attribute_is_a_config_with_its_options()
    {
        var config = new SerializerProfileAttribute { ExtraRun = false }.Config;

        Assert.Single(config.GetDiagnosers().OfType<SerializerProfileDiagnoser>());
        Assert.Empty(config.GetJobs());
        Assert.Same(config, ((IConfigSource)new Holder(config)).Config);
    }

    [Fact]
    public void Options_have_the_same_defaults_everywhere()
    {
        var (attribute, options) = (new SerializerProfileAttribute(), new SerializerProfileOptions());
        foreach (var property in typeof(SerializerProfileOptions).GetProperties(BindingFlags.Public | BindingFlags.Instance))
            Assert.Equal(property.GetValue(options), typeof(SerializerProfileAttribute).GetProperty(property.Name)!.GetValue(attribute));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100_001)]
    public void A_sample_rate_out_of_range_is_refused(int hertz) =>
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            new SerializerProfileDiagnoser(new SerializerProfileOptions { SampleRateHz = hertz })
        );

    [Theory]
    [InlineData("Read(Serializer: \"X\")", "Read_Serializer___X")]
    [InlineData("///", "benchmark")]
    [InlineData("../a", "a")]
    public void Folders_have_plain_names(string text, string expected) => Assert.Equal(expected, FolderNames.Of(text));

    [Fact]
    public void Every_column_stands_in_the_document()
    {
        var source = typeof(SurfaceTests)
            .Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(metadata => metadata.Key == "SourceDirectory")
            .Value!;
        var document = File.ReadAllText(Path.Combine(source, "docs", "benchmarkdotnet.md"));

        Assert.All(ProfileMetrics.All, metric => Assert.Contains($"| {metric.DisplayName} |", document, StringComparison.Ordinal));
        Assert.Equal(ProfileMetrics.All.Count, ProfileMetrics.All.Select(metric => metric.Id).Distinct().Count());
    }

    [Fact]
    public void Jobs_of_NativeAOT_are_recorded_and_those_of_Mono_are_not()
    {
        Assert.All(Cases(NativeAotRuntime.Net80), benchmark => Assert.Null(ProfileValidation.WhyNot(benchmark)));
        Assert.All(
            Cases(MonoRuntime.Default),
            benchmark => Assert.Contains("Mono has no EventPipe", ProfileValidation.WhyNot(benchmark), StringComparison.Ordinal)
        );

        static IReadOnlyCollection<BenchmarkCase> Cases(Runtime runtime)
        {
            var cases = BenchmarkConverter
                .TypeToBenchmarks(typeof(Reading), ManualConfig.CreateEmpty().AddJob(Job.Default.WithRuntime(runtime)))
                .BenchmarksCases;
            Assert.NotEmpty(cases);
            return cases;
        }
    }

    private sealed class Holder(IConfig config) : IConfigSource
    {
        public IConfig Config => config;
    }
}
