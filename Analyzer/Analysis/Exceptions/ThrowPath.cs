using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>A stack that exceptions of one row were thrown with.</summary>
/// <param name="Row">The row.</param>
/// <param name="Count">Exceptions thrown with it.</param>
/// <param name="Frames">Its managed methods, that which threw first.</param>
public sealed record ThrowPath(ExceptionRow Row, long Count, IReadOnlyList<StackMethod> Frames);
