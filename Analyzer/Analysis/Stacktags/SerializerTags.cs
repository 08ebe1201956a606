using EtwSerializerProfiler.Analysis.Catalog;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>
/// Tags of the methods at which the serializers' work begins: <c>Serialize\NAME</c>, <c>Deserialize\NAME</c> and <c>Construct\NAME</c>, for
/// this suite, its adapters and SerializerTests. Generated from the suites' catalogs; stacktags/Serializers.stacktags is their file.
/// </summary>
public static class SerializerTags
{
    /// <summary>Name of the group of serialization methods.</summary>
    public const string Serialize = "Serialize";

    /// <summary>Name of the group of deserialization methods.</summary>
    public const string Deserialize = "Deserialize";

    /// <summary>Name of the group of constructors: the work before a program's first call.</summary>
    public const string Construct = "Construct";

    /// <summary>Name of the group of the suites' own work.</summary>
    public const string Harness = "Harness";

    /// <summary>
    /// Name of the tag of methods that touch the deserialized data, in <see cref="Harness"/>. For a lazy serializer, touching is its work
    /// (<see cref="CatalogEntry.IsLazy"/>).
    /// </summary>
    public const string Touch = "Touch the data read";

    /// <summary>All tags.</summary>
    public static Stacktag Root { get; } =
        Stacktag.Group(
            "",
            Group(Deserialize, entry => $"{entry.DeserializeMethod}*", entry => entry.TouchMethod),
            Group(Serialize, entry => $"{entry.SerializeMethod}*", _ => null),
            Stacktag.Group(
                Construct,
                [
                    .. SuiteCatalog.All.Select(entry => Stacktag.Leaf(entry.Name, [.. Suite(entry, ".ctor")])),
                    .. AdapterCatalog.All.Select(entry => Stacktag.Leaf(entry.Name, Adapter(entry, ".ctor"))),
                ]
            ),
            Stacktag.Group(
                Harness,
                [
                    Stacktag.Leaf(
                        Touch,
                        new StacktagEntrypoint(Any(SuiteCatalog.ContractModule), SuiteCatalog.Touch),
                        new StacktagEntrypoint(Any(SuiteCatalog.Module), SuiteCatalog.OldTouch),
                        SerializerTestsTest(SerializerTestsCatalog.Touch)
                    ),
                    .. SuiteCatalog.MarkedOperations.Select(Wait),
                ]
            )
        );

    /// <summary>
    /// The marker thread's wait, in a method of the same name in both suites. Its priority is above the causes of the platform's waits
    /// below it.
    /// </summary>
    private static Stacktag Wait(string operation)
    {
        var method = SuiteCatalog.WaitOf(operation);
        var theirs = method is SerializerTestsCatalog.SerializeWait or SerializerTestsCatalog.DeserializeWait
            ? [SerializerTestsTest(method)]
            : (StacktagEntrypoint[])[];
        return Stacktag.Leaf(
            $"Test duration {operation}",
            [.. theirs, new StacktagEntrypoint(Any(SuiteCatalog.MarksModule), $"{SuiteCatalog.MarkerType}::{method}*")]
        ) with
        {
            Priority = 1,
        };
    }

    /// <summary>Entry methods of one kind, one tag per serializer; suite and SerializerTests together if both have it.</summary>
    private static Stacktag Group(string name, Func<CatalogEntry, string> method, Func<CatalogEntry, string?> other)
    {
        var patterns = SuiteCatalog
            .All.SelectMany(entry => Suite(entry, method(entry)).Select(pattern => (entry.Name, Pattern: pattern)))
            .Concat(AdapterCatalog.All.SelectMany(entry => Both(entry, Adapter(entry, method(entry)), AdapterCatalog.ModuleOf(entry))))
            .Concat(
                SerializerTestsCatalog.All.SelectMany(entry =>
                    Both(entry, InSerializerTests(entry, method(entry)), SerializerTestsCatalog.Module)
                )
            );
        return Stacktag.Group(
            name,
            [
                .. patterns
                    .GroupBy(item => item.Name)
                    .OrderBy(group => group.Key, StringComparer.OrdinalIgnoreCase)
                    .Select(group => Stacktag.Leaf(group.Key, [.. group.Select(item => item.Pattern)])),
            ]
        );

        IEnumerable<(string Name, StacktagEntrypoint Pattern)> Both(CatalogEntry entry, StacktagEntrypoint pattern, string module)
        {
            yield return (entry.Name, pattern);
            if (other(entry) is { } second)
                yield return (entry.Name, new StacktagEntrypoint(Any(module), second));
        }
    }

    /// <summary>
    /// A generic class (its name ends with a backtick, without the number) was not generic in the suite's first versions, whose recordings
    /// are still readable.
    /// </summary>
    private static IEnumerable<StacktagEntrypoint> Suite(CatalogEntry entry, string method) =>
        entry.EntryType.EndsWith('`')
            ? [Suite($"{entry.EntryType}*", method), Suite(entry.EntryType.TrimEnd('`'), method)]
            : [Suite(entry.EntryType, method)];

    private static StacktagEntrypoint Suite(string type, string method) => new(Any(SuiteCatalog.Module), $"{type}::{method}");

    /// <summary>The backtick at the end of a generic class's name represents the number after it.</summary>
    private static StacktagEntrypoint Adapter(CatalogEntry entry, string method) =>
        new(Any(AdapterCatalog.ModuleOf(entry)), $"{entry.EntryType}{(entry.EntryType.EndsWith('`') ? "*" : "")}::{method}");

    /// <summary>Its classes are generic; the backtick ends the name, so that DataContract does not match DataContractIndented.</summary>
    private static StacktagEntrypoint InSerializerTests(CatalogEntry entry, string method) =>
        new(Any(SerializerTestsCatalog.Module), $"{entry.EntryType}*::{method}");

    private static StacktagEntrypoint SerializerTestsTest(string method) =>
        new(Any(SerializerTestsCatalog.Module), $"{SerializerTestsCatalog.TestType}*::{method}*");

    /// <summary>The same program is an .exe on .NET Framework and a .dll on .NET.</summary>
    private static string Any(string module) => module + ".*";
}
