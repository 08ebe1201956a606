using BenchmarkDotNet.Configs;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>
/// On a class of benchmarks: records each of them and adds columns to the summary that say what its CPU time was spent on. The same as adding a
/// <see cref="SerializerProfileDiagnoser"/> to the config, and columns that read NA where nothing was recorded.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
public sealed class SerializerProfileAttribute : Attribute, IConfigSource
{
    private readonly Lazy<IConfig> _config;

    /// <summary>Records with the default options.</summary>
    public SerializerProfileAttribute() => _config = new(() => SerializerProfileConfig.Create(new SerializerProfileOptions
    {
        ExtraRun = ExtraRun,
        KernelEvents = KernelEvents,
        SampleRateHz = SampleRateHz,
        SampledAllocations = SampledAllocations,
    }));

    /// <inheritdoc cref="SerializerProfileOptions.ExtraRun"/>
    public bool ExtraRun { get; set; } = true;

    /// <inheritdoc cref="SerializerProfileOptions.KernelEvents"/>
    public bool KernelEvents { get; set; } = true;

    /// <inheritdoc cref="SerializerProfileOptions.SampleRateHz"/>
    public int SampleRateHz { get; set; } = 1000;

    /// <inheritdoc cref="SerializerProfileOptions.SampledAllocations"/>
    public bool SampledAllocations { get; set; }

    /// <inheritdoc />
    public IConfig Config => _config.Value;
}
