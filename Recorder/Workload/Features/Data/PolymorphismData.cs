using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>Classes for members declared as a base class, an interface or object.</summary>
public static class PolymorphismData
{
    public interface INamed
    {
        string? Name { get; set; }
    }

    [Serializable, DataContract]
    public class Animal
    {
        [DataMember(Order = 1)]
        public int Legs { get; set; }
    }

    [Serializable, DataContract]
    public class Dog : Animal, INamed
    {
        [DataMember(Order = 2)]
        public string? Name { get; set; }
    }

    [Serializable, DataContract]
    public abstract class Shape
    {
        [DataMember(Order = 1)]
        public int Edges { get; set; }
    }

    [Serializable, DataContract]
    public class Square : Shape
    {
        [DataMember(Order = 2)]
        public double Size { get; set; }
    }

    [Serializable, DataContract]
    public class BaseMember
    {
        [DataMember(Order = 1)]
        public Animal? Animal { get; set; }
    }

    [Serializable, DataContract]
    public class AbstractMember
    {
        [DataMember(Order = 1)]
        public Shape? Shape { get; set; }
    }

    [Serializable, DataContract]
    public class InterfaceMember
    {
        [DataMember(Order = 1)]
        public INamed? Named { get; set; }
    }

    [Serializable, DataContract]
    public class ObjectMember
    {
        [DataMember(Order = 1)]
        public object? Value { get; set; }
    }

    [Serializable, DataContract]
    public class BaseItems
    {
        [DataMember(Order = 1)]
        public List<Animal> Animals { get; set; } = [];
    }
}
