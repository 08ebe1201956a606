using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Replaces every order by its stand-in.</summary>
internal sealed class ContentionSurrogate :
#if NET
    ISerializationSurrogateProvider
#else
    IDataContractSurrogate
#endif
{
    /// <summary>Creates a serializer for lists of orders.</summary>
    /// <param name="surrogate">Whether it uses the surrogate.</param>
    public static DataContractSerializer Construct(bool surrogate)
    {
#if NET
        var serializer = new DataContractSerializer(typeof(List<ContentionOrder>));
        if (surrogate)
            serializer.SetSerializationSurrogateProvider(new ContentionSurrogate());
        return serializer;
#else
        return new DataContractSerializer(
            typeof(List<ContentionOrder>),
            new DataContractSerializerSettings { DataContractSurrogate = surrogate ? new ContentionSurrogate() : null }
        );
#endif
    }

    public object GetObjectToSerialize(object obj, Type targetType) =>
        obj is ContentionOrder order ? new ContentionStandIn { Order = order.Customer, Remark = order.Remark } : obj;

    public object GetDeserializedObject(object obj, Type targetType) =>
        obj is ContentionStandIn standIn ? new ContentionOrder { Customer = standIn.Order, Remark = standIn.Remark } : obj;

#if NET
    public Type GetSurrogateType(Type type) => Replace(type);
#else
    public Type GetDataContractType(Type type) => Replace(type);

    public object? GetCustomDataToExport(Type clrType, Type dataContractType) => null;

    public object? GetCustomDataToExport(System.Reflection.MemberInfo memberInfo, Type dataContractType) => null;

    public void GetKnownCustomDataTypes(System.Collections.ObjectModel.Collection<Type> customDataTypes) { }

    public Type? GetReferencedTypeOnImport(string typeName, string typeNamespace, object customData) => null;

    public System.CodeDom.CodeTypeDeclaration ProcessImportedType(
        System.CodeDom.CodeTypeDeclaration typeDeclaration,
        System.CodeDom.CodeCompileUnit compileUnit
    ) => typeDeclaration;
#endif

    private static Type Replace(Type type) => type == typeof(ContentionOrder) ? typeof(ContentionStandIn) : type;
}

/// <summary>Surrogate of a <see cref="ContentionOrder"/> in the XML.</summary>
[DataContract]
public sealed class ContentionStandIn
{
    /// <summary>The whole order.</summary>
    [DataMember]
    public string Order { get; set; } = "";

    /// <summary>Its remark.</summary>
    [DataMember]
    public object? Remark { get; set; }
}
