namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>A column of a table.</summary>
/// <param name="Name">Its name, in lower case with underscores; ends with the unit of times and sizes.</param>
/// <param name="Type">Type of its values.</param>
/// <param name="IsNullable">Whether a row may lack it: null is "not recorded", or that it does not apply, never 0.</param>
/// <param name="Meaning">What it says, without a full stop.</param>
/// <param name="Since">Version of the schema that brought it. Stores of earlier versions get it when they are opened; their rows lack it.</param>
public sealed record StoreColumn(string Name, ColumnType Type, bool IsNullable, string Meaning, int Since = 1);
