using System.Reflection;
using System.Reflection.Emit;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Plugins;

namespace EtwSerializerProfiler.Workload.Tests.Plugins;

/// <summary>Generated plugins, class by class: the contract's requirements, and the messages for violations.</summary>
public sealed class PluginShapeTests : IDisposable
{
    private readonly TempFolder _folder = new();
    private int _plugins;

    public void Dispose()
    {
        // Loaded files cannot be deleted on Windows.
        if (!OperatingSystem.IsWindows())
            _folder.Dispose();
    }

    [Fact]
    public void A_generic_class_serves_every_type_and_is_named_after_itself_without_an_attribute()
    {
        var plugin = Plugin(module => Serializer(module, "Mine`1", typeParameters: 1));

        Assert.Equal(["Mine"], plugin.Serializers(typeof(BookShelf), () => new BookShelfModel()).Select(serializer => serializer.Name));
        Assert.Equal(["Mine"], plugin.Serializers(typeof(Uri), () => new BookShelfModel()).Select(serializer => serializer.Name));
    }

    [Fact]
    public void A_class_that_takes_any_object_serves_every_type_too() =>
        Assert.Single(Plugin(module => Serializer(module, "Mine")).Serializers(typeof(Uri), () => new BookShelfModel()));

    [Fact]
    public void An_assembly_without_serializers_has_none() =>
        Assert.Empty(
            Plugin(module => module.DefineType("Nothing", TypeAttributes.Public).CreateType())
                .Serializers(typeof(BookShelf), () => new BookShelfModel())
        );

    [Fact]
    public void Two_type_parameters_are_an_error_that_says_what_is_asked_for() =>
        AssertError("Two`2", "has 2 type parameters; the contract requires one", module => Serializer(module, "Two`2", typeParameters: 2));

    [Fact]
    public void A_class_without_a_constructor_that_the_suite_can_call_is_an_error() =>
        AssertError(
            "Closed",
            "neither a public parameterless constructor nor one with SerializerSettings",
            module => Serializer(module, "Closed", constructor: MethodAttributes.Private)
        );

    private static void Serializer(
        ModuleBuilder module,
        string name,
        int typeParameters = 0,
        MethodAttributes constructor = MethodAttributes.Public
    )
    {
        var type = module.DefineType(name, TypeAttributes.Public, typeof(Serializer));
        if (typeParameters > 0)
            type.DefineGenericParameters([.. Enumerable.Range(0, typeParameters).Select(i => $"T{i}")]);
        var code = type.DefineConstructor(constructor, CallingConventions.Standard, []).GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Call, typeof(Serializer).GetConstructor(BindingFlags.Instance | BindingFlags.NonPublic, [])!);
        code.Emit(OpCodes.Ret);
        foreach (var method in typeof(Serializer).GetMethods().Where(method => method.IsAbstract))
        {
            var body = type.DefineMethod(
                    method.Name,
                    MethodAttributes.Public | MethodAttributes.Virtual | MethodAttributes.HideBySig,
                    method.ReturnType,
                    [.. method.GetParameters().Select(parameter => parameter.ParameterType)]
                )
                .GetILGenerator();
            body.Emit(OpCodes.Ldnull);
            body.Emit(OpCodes.Throw);
        }

        type.CreateType();
    }

    private void AssertError(string type, string error, Action<ModuleBuilder> define)
    {
        var plugin = Plugin(define);

        var message = Assert.Throws<PluginException>(() => plugin.Serializers(typeof(BookShelf), () => new BookShelfModel())).Message;
        Assert.StartsWith($"{plugin.Path}: {type}", message, StringComparison.Ordinal);
        Assert.Contains(error, message, StringComparison.Ordinal);
    }

    private Plugin Plugin(Action<ModuleBuilder> define)
    {
        var name = $"Plugin{_plugins++}";
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(name), typeof(object).Assembly);
        define(assembly.DefineDynamicModule(name));
        var path = Path.Combine(_folder.Path, name + ".dll");
        assembly.Save(path);
        return new Plugin(path);
    }
}
