namespace EtwSerializerProfiler.Contract;

/// <summary>
/// Describes a serializer class to the suite. The class derives from <see cref="Serializer"/>. A generic class with one type parameter
/// (<c>Mine&lt;TGraph&gt; : TypedSerializer&lt;TGraph&gt; where TGraph : class</c>) supports every data type; any other class supports only
/// that of its <see cref="Model"/>. It needs a constructor without parameters, or one with <see cref="SerializerSettings"/>.
/// </summary>
/// <param name="name">Name on screen and in traces.</param>
/// <param name="format">Its output format.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class SuiteSerializerAttribute(string name, DataFormat format) : Attribute
{
    /// <summary>Name on screen and in traces.</summary>
    public string Name { get; } = name;

    /// <summary>Its output format.</summary>
    public DataFormat Format { get; } = format;

    /// <summary>
    /// Simple name of the assembly that implements it; empty for the assembly of the class. A name, because describing a serializer must
    /// not load it.
    /// </summary>
    public string Library { get; set; } = "";

    /// <summary>Type of its <see cref="GraphModel"/> if it needs its own data types; null for a generic class.</summary>
    public Type? Model { get; set; }

    /// <summary>Whether <see cref="SerializerSettings.ReferenceTracking"/> changes its output.</summary>
    public bool TracksReferences { get; set; }

    /// <summary>First version of .NET on which it is known to fail, for example <c>9.0</c>; empty for none.</summary>
    public string FailsFrom { get; set; } = "";

    /// <summary>Why it fails there, and where it works.</summary>
    public string FailsBecause { get; set; } = "";

    /// <summary>
    /// Why only one thread at a time can use it; empty when several can. It takes no part when the user requests several threads.
    /// </summary>
    public string OneThreadBecause { get; set; } = "";

    /// <summary>Remark for users, one sentence; empty for none.</summary>
    public string Notes { get; set; } = "";
}
