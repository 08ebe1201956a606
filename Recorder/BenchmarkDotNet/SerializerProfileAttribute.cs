using BenchmarkDotNet.Configs;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>
/// Records each benchmark of a class and adds columns to the summary that show where its CPU time went. It does the same as adding a
/// <see cref="SerializerProfileDiagnoser"/> to the config; the columns read NA where nothing was recorded.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
public sealed class SerializerProfileAttribute : Attribute, IConfigSource
{
    private readonly Lazy<IConfig> _config;

    /// <summary>Records with the default options.</summary>
    public SerializerProfileAttribute() =>
        _config = new(() =>
            SerializerProfileConfig.Create(
                new SerializerProfileOptions
                {
                    ExtraRun = ExtraRun,
                    KernelEvents = KernelEvents,
                    SampleRateHz = SampleRateHz,
                    SampledAllocations = SampledAllocations,
                }
            )
        );

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
