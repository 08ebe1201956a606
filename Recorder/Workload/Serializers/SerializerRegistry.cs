using System.Reflection;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Serializers.Protobuf;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The serializers of the suite.</summary>
public static class SerializerRegistry
{
    /// <summary>All serializers, in the order in which they run.</summary>
    public static readonly IReadOnlyList<SerializerDescription> All =
    [
        OfBookShelf("XmlSerializer", DataFormat.Text, () => typeof(System.Xml.Serialization.XmlSerializer).Assembly, () => new XmlText()),
        OfBookShelf("DataContract", DataFormat.Text, () => typeof(System.Runtime.Serialization.DataContractSerializer).Assembly, () => new DataContractText()),
        OfBookShelf("DataContractBinaryXml", DataFormat.Binary, () => typeof(System.Runtime.Serialization.DataContractSerializer).Assembly, () => new DataContractBinaryXml()),
        OfBookShelf("DataContractJson", DataFormat.Text, () => typeof(System.Runtime.Serialization.Json.DataContractJsonSerializer).Assembly, () => new DataContractJson()),
#pragma warning disable SYSLIB0011 // the obsolete serializer is what is measured
        OfBookShelf("BinaryFormatter", DataFormat.Binary, () => typeof(System.Runtime.Serialization.Formatters.Binary.BinaryFormatter).Assembly, () => new BinaryFormatterSerializer()),
#pragma warning restore SYSLIB0011
        OfBookShelf("Newtonsoft.Json", DataFormat.Text, () => typeof(Newtonsoft.Json.JsonSerializer).Assembly, () => new NewtonsoftJson()),
        OfBookShelf("SystemTextJson", DataFormat.Text, () => typeof(System.Text.Json.JsonSerializer).Assembly, () => new SystemTextJson()),
        OfBookShelf("SystemTextJsonSourceGen", DataFormat.Text, () => typeof(System.Text.Json.JsonSerializer).Assembly, () => new SystemTextJsonSourceGen()),
        OfBookShelf("ServiceStack.Text", DataFormat.Text, () => typeof(ServiceStack.Text.JsonSerializer).Assembly, () => new ServiceStackText()),
        new("Google.Protobuf", DataFormat.Binary, () => typeof(Google.Protobuf.CodedOutputStream).Assembly, () => new ProtobufModel(), () => new GoogleProtobuf()),
    ];

    /// <summary>The serializers that <paramref name="filters"/> choose, in the order of <see cref="All"/>; all of them without a filter.</summary>
    /// <exception cref="ArgumentException">A filter chooses none. The message lists the names.</exception>
    public static IReadOnlyList<SerializerDescription> Select(IReadOnlyList<SerializerFilter> filters)
    {
        ArgumentNullException.ThrowIfNull(filters);
        foreach (var filter in filters)
        {
            if (!All.Any(serializer => filter.Matches(serializer.Name)))
                throw new ArgumentException($"{SuiteOptionSet.SerializerName}: '{filter}' chooses no serializer; legal: {string.Join(", ", All.Select(serializer => serializer.Name))}");
        }

        return filters.Count == 0 ? All : [.. All.Where(serializer => filters.Any(filter => filter.Matches(serializer.Name)))];
    }

    private static SerializerDescription OfBookShelf(string name, DataFormat format, Func<Assembly> library, Func<Serializer> construct)
        => new(name, format, library, () => new BookShelfModel(), construct);
}
