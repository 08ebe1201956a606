namespace EtwSerializerProfiler.Contract;

/// <summary>
/// Describes a serializer class to the suite. The class derives from <see cref="Serializer"/>; a generic one with one type parameter
/// (<c>Mine&lt;TGraph&gt; : TypedSerializer&lt;TGraph&gt; where TGraph : class</c>) serves every data type, another one only that of its <see cref="Model"/>.
/// It has a constructor without parameters, or one with <see cref="SerializerSettings"/>.
/// </summary>
/// <param name="name">Name on screen and in traces.</param>
/// <param name="format">What it writes.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class SuiteSerializerAttribute(string name, DataFormat format) : Attribute
{
    /// <summary>Name on screen and in traces.</summary>
    public string Name { get; } = name;

    /// <summary>What it writes.</summary>
    public DataFormat Format { get; } = format;

    /// <summary>Simple name of the assembly that implements it; that of the class itself when empty. A name, so that describing a serializer does not load it.</summary>
    public string Library { get; set; } = "";

    /// <summary>Type of its <see cref="GraphModel"/> when it needs data types of its own; null for a generic class.</summary>
    public Type? Model { get; set; }

    /// <summary>Whether <see cref="SerializerSettings.ReferenceTracking"/> changes what it writes.</summary>
    public bool TracksReferences { get; set; }

    /// <summary>First version of .NET that it is known to fail on, for example <c>9.0</c>; empty for none.</summary>
    public string FailsFrom { get; set; } = "";

    /// <summary>Why it fails from there on, and where it works.</summary>
    public string FailsBecause { get; set; } = "";

    /// <summary>Why one thread at a time can use it; empty when several can. It takes no part when several threads are asked for.</summary>
    public string OneThreadBecause { get; set; } = "";

    /// <summary>What is to be known of it, one sentence; empty for nothing.</summary>
    public string Notes { get; set; } = "";
}
