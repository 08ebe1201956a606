namespace EtwSerializerProfiler.TestModel;

/// <summary>Type that XmlSerializer generates code for; only public types are supported.</summary>
public sealed class Shelf
{
    public string Name { get; set; } = "";
}
