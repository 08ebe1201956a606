using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Data;

/// <summary>Root of the object graph, as in SerializerTests.</summary>
[Serializable]
[DataContract]
public sealed class BookShelf
{
    // An explicit field, because serializers differ in whether they set the field or the property by reflection.
    private string _title = "";

    /// <summary>Title of the shelf.</summary>
    [DataMember(Order = 0)]
    public string Title
    {
        get => _title;
        set => _title = value;
    }

    /// <summary>The books.</summary>
    [DataMember(Order = 1)]
    public List<Book> Books { get; set; } = [];
}
