namespace EtwSerializerProfiler.TestModel;

/// <summary>What XmlSerializer generates code for; it serves public types only.</summary>
public sealed class Shelf
{
    public string Name { get; set; } = "";
}
