using System.Text;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Text or binary, told by the bytes.</summary>
public sealed class DataFormatFeature() : Feature(
    "format", BehaviourFeatures.Group, "data format", "The suite's data of 200 objects with 40 bytes of payload each: text when the bytes are valid UTF-8 without control characters but tab and line breaks.")
{
    /// <inheritdoc/>
    public override bool UsesSuiteData => true;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var (serializer, model) = trial.ConstructForSuiteData();
        using var written = FeatureTrial.Write(serializer, model.Create(objectCount: 200, payloadBytes: 40));
        try
        {
            var text = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true).GetString(written.Bytes());
            return new FeatureCell(text.Any(character => char.IsControl(character) && character is not ('\t' or '\r' or '\n')) ? "binary" : "text");
        }
        catch (DecoderFallbackException)
        {
            return new FeatureCell("binary");
        }
    }
}
