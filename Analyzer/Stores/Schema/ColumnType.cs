namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>Type of a column; each store has its own name for it.</summary>
public enum ColumnType
{
    /// <summary>Text, UTF-8.</summary>
    Text = 0,

    /// <summary>Signed whole number of 64 bits.</summary>
    Integer = 1,

    /// <summary>Double of IEEE 754.</summary>
    Real = 2,
}
