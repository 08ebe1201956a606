using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What an address means for finding the caller of the code there.</summary>
/// <param name="Kind">How it can be found.</param>
/// <param name="Row">Of described code.</param>
/// <param name="Start">Of a method, where its code begins.</param>
/// <param name="Size">Of a method, bytes of its code.</param>
/// <param name="Tier">Of a method, how its code was made.</param>
internal readonly record struct CodePlace(CodePlaceKind Kind, UnwindRow Row, ulong Start, ulong Size, CodeTier Tier);
