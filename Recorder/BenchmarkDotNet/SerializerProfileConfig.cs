using BenchmarkDotNet.Configs;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Adds the diagnoser to configs that are written in code.</summary>
public static class SerializerProfileConfig
{
    /// <summary>Adds the diagnoser and its columns.</summary>
    /// <param name="config">The config to extend.</param>
    /// <param name="options">What to record; null for the default.</param>
    /// <returns>The config.</returns>
    public static ManualConfig AddSerializerProfile(this ManualConfig config, SerializerProfileOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(config);
        return config
            .AddDiagnoser(new SerializerProfileDiagnoser(options ?? new SerializerProfileOptions()))
            .AddColumnProvider(NotRecordedColumns.Instance);
    }

    internal static IConfig Create(SerializerProfileOptions options) => ManualConfig.CreateEmpty().AddSerializerProfile(options);
}
