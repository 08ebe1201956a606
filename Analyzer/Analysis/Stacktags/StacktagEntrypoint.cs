namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Frames that have a tag. In both patterns * stands for any characters, also none.</summary>
/// <param name="Module">File name of the module; upper and lower case are the same.</param>
/// <param name="Method">
/// Method: <c>Namespace.Type::Method</c> as WPA shows jitted methods, or <c>Namespace.Type.Method</c> as it shows those of native images; functions of
/// libraries as their symbols name them. Upper and lower case differ.
/// </param>
public sealed record StacktagEntrypoint(string Module, string Method);
