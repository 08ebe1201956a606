namespace EtwSerializerProfiler.Traces.Events;

/// <summary>How a collection runs, as the GCStart event numbers it.</summary>
public enum CollectionKind
{
    /// <summary>Threads stand still from begin to end.</summary>
    Blocking = 0,

    /// <summary>Runs beside the program; threads stand still twice for a short time.</summary>
    Background = 1,

    /// <summary>A blocking collection of generation 0 or 1 while a background one is under way.</summary>
    Foreground = 2,
}
