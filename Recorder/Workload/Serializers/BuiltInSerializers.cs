using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Serializers.Protobuf;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The serializers that ship with the suite.</summary>
/// <remarks>Uses no reflection, because constructing a serializer is inside the clock of a first call.</remarks>
public static class BuiltInSerializers
{
    /// <summary>
    /// The general serializers with graphs of <typeparamref name="TGraph"/>, and those with their own types, in the order of the list.
    /// </summary>
    /// <param name="model">Creates the model of the graphs.</param>
    /// <typeparam name="TGraph">Type of the root object.</typeparam>
    public static IReadOnlyList<SerializerDescription> Of<TGraph>(Func<GraphModel> model)
        where TGraph : class
    {
        SerializerDescription Any(
            string name,
            DataFormat format,
            Func<Assembly> library,
            Func<SerializerSettings, Serializer> construct,
            bool tracksReferences = false
        ) => new(name, format, library, model, construct) { TracksReferences = tracksReferences };

        return
        [
            Any(
                "XmlSerializer",
                DataFormat.Text,
                () => typeof(System.Xml.Serialization.XmlSerializer).Assembly,
                settings => new XmlText<TGraph>(settings)
            ),
            Any(
                "DataContract",
                DataFormat.Text,
                DataContractAssembly,
                settings => new DataContractText<TGraph>(settings),
                tracksReferences: true
            ),
            Any(
                "DataContractBinaryXml",
                DataFormat.Binary,
                DataContractAssembly,
                settings => new DataContractBinaryXml<TGraph>(settings),
                tracksReferences: true
            ),
            Any(
                "DataContractJson",
                DataFormat.Text,
                () => typeof(System.Runtime.Serialization.Json.DataContractJsonSerializer).Assembly,
                settings => new DataContractJson<TGraph>(settings)
            ),
#pragma warning disable SYSLIB0011 // the obsolete serializer is measured
            Any(
                "BinaryFormatter",
                DataFormat.Binary,
                () => typeof(System.Runtime.Serialization.Formatters.Binary.BinaryFormatter).Assembly,
                _ => new BinaryFormatterSerializer<TGraph>()
            ),
#pragma warning restore SYSLIB0011
            Any(
                "Newtonsoft.Json",
                DataFormat.Text,
                () => typeof(Newtonsoft.Json.JsonSerializer).Assembly,
                settings => new NewtonsoftJson<TGraph>(settings),
                tracksReferences: true
            ),
            Any(
                "SystemTextJson",
                DataFormat.Text,
                () => typeof(System.Text.Json.JsonSerializer).Assembly,
                settings => new SystemTextJson<TGraph>(settings),
                tracksReferences: true
            ),
            new(
                "SystemTextJsonSourceGen",
                DataFormat.Text,
                () => typeof(System.Text.Json.JsonSerializer).Assembly,
                () => new BookShelfModel(),
                _ => new SystemTextJsonSourceGen()
            )
            {
                HasOwnTypes = true,
            },
            Any(
                "ServiceStack.Text",
                DataFormat.Text,
                () => typeof(ServiceStack.Text.JsonSerializer).Assembly,
                _ => new ServiceStackText<TGraph>()
            ),
            new(
                "Google.Protobuf",
                DataFormat.Binary,
                () => typeof(Google.Protobuf.CodedOutputStream).Assembly,
                () => new ProtobufModel(),
                _ => new GoogleProtobuf()
            )
            {
                HasOwnTypes = true,
            },
        ];
    }

    private static Assembly DataContractAssembly() => typeof(System.Runtime.Serialization.DataContractSerializer).Assembly;
}
