using System.Reflection;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Serializers;

/// <summary>The analyzer's catalog of the suite matches the suite.</summary>
public sealed class CatalogTests
{
    private static IEnumerable<SerializerDescription> BuiltIn =>
        SerializerRegistry.All.Where(serializer => serializer.PluginPath.Length == 0);

    [Fact]
    public void The_catalog_names_the_serializers_of_the_registry_in_its_order() =>
        Assert.Equal(BuiltIn.Select(serializer => serializer.Name), SuiteCatalog.All.Select(entry => entry.Name));

    [Fact]
    public void The_entry_types_are_those_that_the_registry_constructs() =>
        Assert.Equal(
            BuiltIn.Select(serializer => serializer.Construct().GetType().FullName!.Split('[')[0].TrimEnd('1')),
            SuiteCatalog.All.Select(entry => entry.EntryType)
        );

    [Fact]
    public void The_suite_is_in_the_module_of_that_name() =>
        Assert.Equal(SuiteCatalog.Module, typeof(SerializerRegistry).Assembly.GetName().Name);

    [Fact]
    public void Entry_methods_are_there_and_never_inlined() =>
        Assert.All(
            BuiltIn.Zip(SuiteCatalog.All),
            pair =>
            {
                var type = pair.First.Construct().GetType();
                foreach (var name in (string[])[pair.Second.SerializeMethod, pair.Second.DeserializeMethod])
                {
                    var method = Assert.Single(
                        type.GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly),
                        method => method.Name == name
                    );
                    Assert.True(
                        (method.MethodImplementationFlags & MethodImplAttributes.NoInlining) != 0,
                        $"{type}.{name} can be inlined: give it [MethodImpl(MethodImplOptions.{nameof(MethodImplOptions.NoInlining)})]"
                    );
                }
            }
        );

    [Fact]
    public void The_method_that_touches_the_data_is_there() =>
        Assert.All(
            BuiltIn.Select(serializer => serializer.CreateModel().GetType()).Distinct(),
            type => Assert.NotNull(type.GetMethod("Touch"))
        );
}
