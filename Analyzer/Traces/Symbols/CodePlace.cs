namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What an address means for finding the caller of the code there.</summary>
/// <param name="Kind">How it can be found.</param>
/// <param name="Row">Of described code.</param>
/// <param name="Method">Of a method, its code.</param>
internal readonly record struct CodePlace(CodePlaceKind Kind, UnwindRow Row = default, MethodPlace? Method = null);
