using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.NativeAot;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Names the addresses of a process: managed code by the runtime's events, else libraries by their files, else by the perf map; the kernel
/// by its own table. It keeps nothing: <see cref="SymbolResolver"/> asks once for an address.
/// </summary>
/// <param name="processId">The process.</param>
/// <param name="methods">Its managed code.</param>
/// <param name="code">Its methods, with what its files add.</param>
/// <param name="layout">Its files.</param>
/// <param name="files">Symbols of files.</param>
internal sealed class AddressNames(int processId, ManagedCodeMap methods, ProcessCode code, ProcessLayout layout, SymbolFiles files)
{
    /// <summary>First address of a 64-bit kernel.</summary>
    private const ulong FirstKernelAddress = 0xFFFF_8000_0000_0000;

    public const string UnknownModule = "[unknown]";

    /// <summary>Methods without a file: dynamic methods, and stubs that the runtime compiles.</summary>
    public const string Dynamic = "[dynamic]";

    private const string DynamicClass = "dynamicClass";

    /// <summary>Symbol of a method's own code.</summary>
    public CodeSymbol OfMethod(in MethodCode method)
    {
        var isDynamic = method.Namespace == DynamicClass;
        var module = isDynamic ? Dynamic : FileName(code.Module(method));
        var name = method.Namespace.Length > 0 ? $"{method.Namespace}.{method.Name}" : method.Name;
        return new CodeSymbol(
            CodeKind.Managed,
            module.Length > 0 ? module : UnknownModule,
            isDynamic ? "" : NamespaceOf(method.Namespace),
            name,
            true,
            method.MethodId,
            method.Tier
        )
        {
            TypeName = method.Namespace,
            IsEmitted = methods.IsDynamic(method),
            IsOfFile = code.IsOfFile(method),
        };
    }

    /// <summary>Symbol of an inlined method; null when nothing names it.</summary>
    /// <param name="methodId">Its id.</param>
    /// <param name="tier">Tier of the code it was inlined into.</param>
    public CodeSymbol? OfInlinee(long methodId, CodeTier tier)
    {
        if (code.TryFindMethod(methodId, out var method))
            return OfMethod(method) with { Tier = tier, IsInlined = true };
        return methods.TryNameInlinee(methodId, files, out var module, out var type, out var name)
            ? new CodeSymbol(
                CodeKind.Managed,
                FileName(module),
                NamespaceOf(type),
                type.Length > 0 ? $"{type}.{name}" : name,
                true,
                methodId,
                tier
            )
            {
                TypeName = type,
                IsInlined = true,
            }
            : null;
    }

    /// <summary>The Windows kernel calls back into programs, so its frames can lie between the program's.</summary>
    public bool IsInKernelOfWindows(ulong address) => address >= FirstKernelAddress && layout.HasKernelImages;

    /// <summary>Windows logs the images of its kernel; Linux has an address range.</summary>
    public CodeSymbol InKernel(ulong address, long time, out long from, out long to)
    {
        if (!layout.TryFind(address, time, out var image, out from, out to) || !IsOfWindows(image))
            return KernelSymbol(address);
        var module = FileName(image.Path);
        var isNamed = files.TryFindInWindowsImage(image, Offset(address, image), out var name);
        return new CodeSymbol(
            CodeKind.Kernel,
            module,
            "",
            isNamed ? name : $"{module}+0x{Offset(address, image):x}",
            isNamed,
            0,
            CodeTier.Unknown
        );
    }

    /// <summary>Symbol of code that belongs to no method, and the interval in which its mapping exists.</summary>
    public CodeSymbol OutsideMethods(ulong address, long time, out long from, out long to)
    {
        var isMapped = layout.TryFind(address, time, out var mapping, out from, out to);
        return NamedByTrace(address)
            ?? (isMapped ? FileSymbol(address, mapping) : null)
            ?? MapSymbol(address)
            ?? (
                isMapped
                    ? Unnamed(address, mapping)
                    : new CodeSymbol(CodeKind.Unknown, UnknownModule, "", $"0x{address:x}", false, 0, CodeTier.Unknown)
            );
    }

    /// <summary>Whether the mapping is memory instead of a file: the runtime writes code there.</summary>
    public static bool IsMemory(string path) =>
        RuntimeStubs.IsDoubleMapped(path) || path.StartsWith("//anon", StringComparison.Ordinal) || path.Length == 0;

    private CodeSymbol KernelSymbol(ulong address)
    {
        if (NamedByTrace(address) is { Kind: CodeKind.Kernel } named)
            return named;
        if (
            layout.Kernel is not { IsExported: true }
            && files.Kernel(layout.Kernel) is { } kernel
            && kernel.TryFind(address, out var name, out var module)
        )
            return new CodeSymbol(CodeKind.Kernel, module, "", name, true, 0, CodeTier.Unknown);
        var start = layout.Kernel is { } mapping && address >= mapping.Start ? mapping.Start : 0;
        return new CodeSymbol(
            CodeKind.Kernel,
            SymbolFiles.KernelModule,
            "",
            $"{SymbolFiles.KernelModule}+0x{address - start:x}",
            false,
            0,
            CodeTier.Unknown
        );
    }

    /// <summary>Name of code outside of methods, in a trace that was exported from a recording.</summary>
    private CodeSymbol? NamedByTrace(ulong address)
    {
        if (!methods.TryFindName(address, out var named, out var path))
            return null;
        var module = FileName(path);
        var isNamed = named.Name.Length > 0 && !named.IsStub;
        return new CodeSymbol(
            named.Kind,
            module,
            "",
            named.Name.Length > 0 ? named.Name : $"{module}+0x{address:x}",
            isNamed,
            0,
            CodeTier.Unknown
        )
        {
            IsStub = named.IsStub,
        };
    }

    private CodeSymbol? FileSymbol(ulong address, in FileMapping mapping)
    {
        if (IsCodeHeap(mapping) || IsAssembly(mapping) || mapping.IsExported)
            return null;
        if (!IsOfWindows(mapping) && files.Image(mapping)?.FindManaged(Offset(address, mapping)) is { } method)
            return CompiledAhead(method, address, mapping);
        string name;
        if (
            IsOfWindows(mapping)
                ? !files.TryFindInWindowsImage(mapping, Offset(address, mapping), out name)
                : !TryFindInElf(address, mapping, out name)
        )
            return null;
        return new CodeSymbol(CodeKind.Native, FileName(mapping.Path), "", name, true, 0, CodeTier.Unknown);
    }

    private static CodeSymbol CompiledAhead(NativeAotMethod method, ulong address, in FileMapping mapping)
    {
        if (method.Type is { } type)
            return new CodeSymbol(
                CodeKind.Managed,
                type.Assembly + ".dll",
                type.Namespace,
                $"{type.Name}.{method.Name}",
                true,
                0,
                CodeTier.Unknown
            )
            {
                TypeName = type.Name,
            };
        var isNamed = method.Name.Length > 0;
        var name = isNamed ? method.Name : $"{FileName(mapping.Path)}+0x{Offset(address, mapping):x}";
        return new CodeSymbol(CodeKind.Managed, NativeAotProgram.Module, "", name, isNamed && !method.IsStub, 0, CodeTier.Unknown)
        {
            IsStub = method.IsStub,
        };
    }

    private bool TryFindInElf(ulong address, in FileMapping mapping, out string name)
    {
        name = "";
        if (files.Image(mapping) is not { } image || !image.TryFind(Offset(address, mapping), out name))
            return false;
        name = CppNames.Demangle(name);
        return true;
    }

    private CodeSymbol? MapSymbol(ulong address) =>
        files.Map(processId) is { } map && map.TryFind(address, out var name)
            ? new CodeSymbol(CodeKind.Managed, SymbolResolver.CodeHeap, "", name, true, 0, CodeTier.Unknown)
            : null;

    private CodeSymbol Unnamed(ulong address, in FileMapping mapping)
    {
        var isHeap = IsCodeHeap(mapping);
        if (isHeap && !mapping.IsExported && RuntimeStubs.NameOf(mapping, layout, methods) is { } stub)
            return new CodeSymbol(CodeKind.Managed, SymbolResolver.CodeHeap, "", stub, false, 0, CodeTier.Unknown) { IsStub = true };
        var module = isHeap ? SymbolResolver.CodeHeap : FileName(mapping.Path);
        var offset = isHeap ? address : Offset(address, mapping);
        return new CodeSymbol(
            isHeap || IsAssembly(mapping) ? CodeKind.Managed : CodeKind.Native,
            module,
            "",
            $"{module}+0x{offset:x}",
            false,
            0,
            CodeTier.Unknown
        );
    }

    private static ulong Offset(ulong address, in FileMapping mapping) => address - mapping.Start + mapping.FileOffset;

    private static bool IsCodeHeap(in FileMapping mapping) => IsMemory(mapping.Path);

    /// <summary>Whether it is a Windows path: its files are on another machine, and their symbols in PDB files.</summary>
    private static bool IsOfWindows(in FileMapping mapping) => mapping.Path.Contains('\\', StringComparison.Ordinal);

    /// <summary>
    /// On Linux .dll and .exe files are assemblies; on Windows only those that the runtime loaded, and their NGen images.
    /// </summary>
    private bool IsAssembly(in FileMapping mapping)
    {
        if (
            !mapping.Path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            && !mapping.Path.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
        )
            return false;
        return !IsOfWindows(mapping)
            || mapping.Path.EndsWith(".ni.dll", StringComparison.OrdinalIgnoreCase)
            || methods.HasModuleFile(FileName(mapping.Path));
    }

    private static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>The namespace in a type's full name: the part before its last dot, ignoring type arguments and nested types.</summary>
    private static string NamespaceOf(string type)
    {
        var end = type.AsSpan().IndexOfAny('[', '+');
        var name = end < 0 ? type : type[..end];
        var dot = name.LastIndexOf('.');
        return dot > 0 ? name[..dot] : "";
    }
}
