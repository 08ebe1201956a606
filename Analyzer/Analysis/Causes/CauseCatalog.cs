using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// The causes and the frames in which they begin, on .NET Framework, .NET Core 3, .NET 5 to 10, and Mono. docs/attribution.md defines each
/// cause; stacktags/Causes.stacktags is generated from them.
/// </summary>
public static class CauseCatalog
{
    /// <summary>Key of the cause for samples that a thread takes while it performs a GC with the other threads suspended.</summary>
    public const string GcCollection = "gcCollection";

    /// <summary>
    /// Key of the cause for code generated at run time: found by its tags, and by its module if the runtime flags that as dynamic.
    /// </summary>
    public const string EmittedCode = "emittedCode";

    /// <summary>Key of the cause for the counters in code that is instrumented before it is optimized.</summary>
    public const string Instrumentation = "instrumentation";

    /// <summary>Group of the causes on reflection.</summary>
    public const string ReflectionGroup = "Reflection";

    /// <summary>Group of Activator and its callees.</summary>
    public const string ActivatorGroup = "Activator";

    /// <summary>Group of the JIT compiler, except on its own threads.</summary>
    public const string JitGroup = "JIT";

    /// <summary>
    /// Counts only without a stronger cause on the stack: casts and barriers are called from everywhere, and emitted code calls everything.
    /// </summary>
    private const int Helper = -1;

    /// <summary>Runtime code without a specific name.</summary>
    private const int Unnamed = -2;

    /// <summary>The kernel, if no frame above it has a cause.</summary>
    private const int LastResort = -3;

    /// <summary>Groups of all causes, in column order.</summary>
    public static IReadOnlyList<string> Groups => [.. All.Select(cause => cause.Group).Distinct()];

    /// <summary>All causes, in column order.</summary>
    // csharpier-ignore - a table reads better with several names a line
    public static IReadOnlyList<Cause> All { get; } =
    [
        new("reflectionGet", ReflectionGroup, "Get", 0,
        [
            .. Core("System.Reflection.FieldInfo::GetValue*", "System.Reflection.RtFieldInfo::GetValue*",
                "System.Reflection.RtFieldInfo::InternalGetValue*", "System.Reflection.RtFieldInfo::UnsafeGetValue*",
                "System.Reflection.FieldAccessor::GetValue*", "System.Reflection.RuntimeFieldInfo::GetValue*",
                "System.Reflection.RuntimeFieldInfo::UnsafeGetValue*", "System.RuntimeFieldHandle::GetValue*"),
            .. Core("System.Reflection.PropertyInfo::GetValue*", "System.Reflection.RuntimePropertyInfo::GetValue*",
                "System.Reflection.Runtime.PropertyInfos.RuntimePropertyInfo::GetValue*",
                "System.Reflection.Runtime.FieldInfos.*::GetValue*"),
            .. Runtime("*RuntimeFieldHandle::GetValue*"),
        ]),
        new("reflectionSet", ReflectionGroup, "Set", 0,
        [
            .. Core("System.Reflection.FieldInfo::SetValue*", "System.Reflection.RtFieldInfo::SetValue*",
                "System.Reflection.RtFieldInfo::InternalSetValue*", "System.Reflection.RtFieldInfo::UnsafeSetValue*",
                "System.Reflection.FieldAccessor::SetValue*", "System.Reflection.RuntimeFieldInfo::SetValue*",
                "System.Reflection.RuntimeFieldInfo::UnsafeSetValue*", "System.RuntimeFieldHandle::SetValue*"),
            .. Core("System.Reflection.PropertyInfo::SetValue*", "System.Reflection.RuntimePropertyInfo::SetValue*",
                "System.Reflection.Runtime.PropertyInfos.RuntimePropertyInfo::SetValue*",
                "System.Reflection.Runtime.FieldInfos.*::SetValue*"),
            .. Runtime("*RuntimeFieldHandle::SetValue*"),
        ]),
        new("reflectionInvoke", ReflectionGroup, "Invoke", 0,
        [
            .. Core("System.Reflection.MethodBase::Invoke*", "System.Reflection.MethodBase::CheckArguments*",
                "System.Reflection.RuntimeMethodInfo::Invoke*", "System.Reflection.RuntimeMethodInfo::UnsafeInvoke*",
                "System.Reflection.RuntimeConstructorInfo::Invoke*", "System.Reflection.ConstructorInfo::Invoke*"),
            .. Core("System.Reflection.MethodInvoker*::*", "System.Reflection.ConstructorInvoker::*",
                "System.Reflection.MethodBaseInvoker::*", "System.Reflection.InvokerEmitUtil*::*",
                "System.RuntimeMethodHandle::InvokeMethod*", "System.Delegate::DynamicInvoke*"),
            .. Runtime("*RuntimeMethodHandle::InvokeMethod*"),
            .. Core("System.Reflection.DynamicInvokeInfo::*", "System.Reflection.Runtime.MethodInfos.*::Invoke*"), new("[nativeaot]",
                "[stub] reflection invoke"),
            new("*", "dynamicClass::InvokeStub_*"),
        ]),
        new("reflectionMetadata", ReflectionGroup, "Metadata", 0,
        [
            .. Core("System.Attribute::GetCustomAttribute*", "System.Attribute::IsDefined*", "System.Reflection.CustomAttribute*::*",
                "System.Reflection.PseudoCustomAttribute::*", "System.Reflection.MetadataImport::*", "System.Reflection.MonoMethodInfo::*",
                "System.MonoCustomAttrs::*", "System.Reflection.RuntimeAssembly::*", "System.Reflection.RuntimeModule::*",
                "System.Reflection.RuntimeParameterInfo::*", "System.Signature::*"),
            .. Core("System.RuntimeType::GetField*", "System.RuntimeType::GetPropert*", "System.RuntimeType::GetMember*",
                "System.RuntimeType::GetMethod*", "System.RuntimeType::GetConstructor*", "System.RuntimeType::GetInterface*",
                "System.RuntimeType::GetNestedType*", "System.RuntimeType::GetCustomAttribute*", "System.RuntimeType::FilterApply*",
                "System.RuntimeType+RuntimeTypeCache*::*"),
            .. Core("System.Reflection.Runtime.TypeInfos.*::*", "System.Reflection.Runtime.General.*::*",
                "System.Reflection.Runtime.Assemblies.*::*", "System.Reflection.Runtime.CustomAttributes.*::*",
                "System.Reflection.Runtime.ParameterInfos.*::*", "System.Reflection.Runtime.BindingFlagSupport.*::*"),
        ]),
        new("activator", ActivatorGroup, "", 0,
        [
            .. Core("System.Activator::*", "System.RuntimeType::CreateInstance*", "System.RuntimeType+ActivatorCache*::*",
                "System.RuntimeType+CreateUninitializedCache*::*", "System.RuntimeTypeHandle::CreateInstance*",
                "System.RuntimeTypeHandle::Allocate*", "System.RuntimeTypeHandle::GetActivationInfo*"),
            .. Core("System.Runtime.Serialization.FormatterServices::GetUninitializedObject*",
                "System.Runtime.Serialization.FormatterServices::nativeGetUninitializedObject*",
                "System.Runtime.Serialization.FormatterServices::GetSafeUninitializedObject*",
                "System.Runtime.CompilerServices.RuntimeHelpers::GetUninitializedObject*"),
            new("System.Runtime.Serialization.Formatters.*", "System.Runtime.Serialization.FormatterServices::GetUninitializedObject*"),
            .. Runtime("*RuntimeTypeHandle::CreateInstance*"),
        ]),
        new("gcAllocation", "GC", "Allocation", 0,
        [
            .. Core("System.GC::AllocateNewArray*", "System.GC::AllocateUninitializedArray*", "System.GC::AllocateArray*",
                "System.String::FastAllocateString*", "System.Runtime.RuntimeImports::RhNew*", "System.Runtime.RuntimeExports::RhNew*",
                "System.Runtime.InternalCalls::RhpNew*"),
            .. CompiledAhead("RhpNew*", "RhNewString*", "RhNewObject*", "RhpGcAlloc*", "*WKS::gc_heap::allocate*",
                "*SVR::gc_heap::allocate*", "*gc_heap::try_allocate*", "*gc_heap::soh_try_fit*", "*gc_heap::a_fit*",
                "*gc_heap::adjust_limit*", "*GCHeap::Alloc*"),
            .. Runtime("*JIT_New*", "*RhpNew*", "*RhpGcAlloc*", "*gc_heap::allocate*", "*gc_heap::try_allocate*", "*gc_heap::soh_try_fit*",
                "*gc_heap::a_fit*", "*gc_heap::adjust_limit*", "*GCHeap::Alloc*", "*AllocateObject*", "*AllocateSzArray*",
                "*AllocateString*"),
            new("[mono]", "alloc wrapper *"), .. Mono("mono_gc_alloc*", "mono_object_new*", "mono_array_new*", "mono_string_new*"),
        ]),
        new(GcCollection, "GC", "Mark, plan, relocate", 0,
        [
            .. Core("System.GC::Collect*", "System.GC::_Collect*"),
            .. Runtime("*gc_heap::gc1*", "*gc_heap::garbage_collect*", "*gc_heap::mark_*", "*gc_heap::plan_*", "*gc_heap::relocate_*",
                "*gc_heap::compact_*", "*gc_heap::sweep_*", "*GCHeap::GarbageCollect*"), .. Mono("mono_gc_collect*"),
            .. CompiledAhead("*gc_heap::gc1*", "*gc_heap::garbage_collect*", "*gc_heap::mark_*", "*gc_heap::plan_*",
                "*gc_heap::relocate_*", "*gc_heap::compact_*", "*gc_heap::sweep_*", "*GCHeap::GarbageCollect*"),
        ]),
        new("gcBackground", "GC", "Background", 0, [.. Runtime("*gc_heap::bgc_*", "*gc_heap::background_*"),
            .. CompiledAhead("*gc_heap::bgc_*", "*gc_heap::background_*")]),
        new("gcSuspension", "GC", "Suspension", 0, [.. Runtime("*ThreadSuspend::*", "*RareDisablePreemptiveGC*",
            "*GCToEEInterface::SuspendEE*", "*GCToEEInterface::RestartEE*"), .. CompiledAhead("RhpWaitForGC*", "RhpGcPoll*",
            "ThreadStore::SuspendAllThreads*", "ThreadStore::ResumeAllThreads*", "GCToEEInterface::SuspendEE*",
            "GCToEEInterface::RestartEE*")]),
        new("gcWriteBarrier", "GC", "Write barrier", Helper, [new("[code heap]", "[stub] write barrier"), new("[mono]",
            "write-barrier wrapper *"), .. Mono("mono_gc_wbarrier_*"), .. Runtime("*JIT_WriteBarrier*", "*JIT_CheckedWriteBarrier*",
            "*JIT_ByRefWriteBarrier*"), .. CompiledAhead("RhpAssignRef*", "RhpCheckedAssignRef*", "RhpByRefAssignRef*",
            "RhBulkMoveWithWriteBarrier*")]),
        new("jit", JitGroup, "", 0, [new("clrjit.dll", "*"), new("libclrjit.so", "*"), new("libclrjit.dylib", "*"), new("compatjit.dll",
            "*"), new("mscorjit.dll", "*"), new("[mono]", "generic_trampoline_jit*"), .. Runtime("*UnsafeJitFunction*", "*ThePreStub*",
            "*MethodDesc::DoPrestub*", "*MethodDesc::JitCompileCode*")]),
        new("typeLoading", "Types", "Loading", 0,
        [
            .. Core("System.Runtime.CompilerServices.InitHelpers::*", "System.Runtime.CompilerServices.StaticsHelpers::*",
                "System.Runtime.CompilerServices.GenericsHelpers::*", "System.Runtime.CompilerServices.VirtualDispatchHelpers::*",
                "System.RuntimeType::MakeGenericType*", "System.RuntimeTypeHandle::Instantiate*",
                "System.RuntimeTypeHandle::GetTypeByName*", "System.Reflection.TypeNameResolver*::*", "System.Runtime.Loader.*::*",
                "System.AppDomain::OnAssemblyResolve*"),
            .. Core("System.Runtime.CompilerServices.ClassConstructorRunner::*"), new("System.Private.TypeLoader.*", "*"),
                new("[nativeaot]", "[stub] generic dictionary"), new("[nativeaot]", "[stub] static fields"),
            .. Runtime("*ClassLoader::*", "*MethodTableBuilder::*", "*JIT_GenericHandle*", "*JIT_GetSharedNonGC*"),
        ]),
        new("casts", "Types", "Casts", Helper, [new("[mono]", "castclass wrapper *"), new("[mono]", "isinst wrapper *"), new("[mono]",
            "stelemref wrapper *"), .. Core("System.Runtime.CompilerServices.CastHelpers::*", "System.Runtime.TypeCast::*",
            "System.RuntimeTypeHandle::CanCastTo*", "System.RuntimeTypeHandle::IsInstanceOfType*", "System.RuntimeType::IsInstanceOfType*",
            "System.RuntimeType::IsAssignableFrom*"), .. Runtime("*JIT_ChkCast*", "*JIT_IsInstanceOf*", "*ObjIsInstanceOf*",
            "*JIT_Stelem_Ref*")]),
        new("locks", "Locks", "", 0, [.. Core("System.Threading.Monitor::*", "System.Threading.Lock*::*", "System.Threading.SpinLock::*",
            "System.Threading.ReaderWriterLock*::*", "System.Threading.SemaphoreSlim::*", "System.Threading.Mutex::*"),
            .. Runtime("*JIT_Mon*", "*AwareLock::*")]),
        new("exceptions", "Exceptions", "", 0,
        [
            .. Core("System.Runtime.EH*::*", "System.Runtime.StackFrameIterator::*", "System.Exception::*", "System.ThrowHelper::*",
                "System.Diagnostics.StackTrace*::*", "System.Diagnostics.StackFrame*::*", "System.Runtime.ExceptionServices.*::*"),
            .. CompiledAhead("RhpThrow*", "RhpRethrow*", "RhpCallCatchFunclet*", "RhpCallFinallyFunclet*", "RhpSfi*"),
            .. Runtime("*IL_Throw*", "*IL_Rethrow*", "*RaiseTheException*", "*ProcessCLRException*"), new("KernelBase.dll",
                "RaiseException*"), new("ntdll.dll", "RtlDispatchException*"), new("libgcc_s.so*", "_Unwind_*"),
        ]),
        new("text", "Formatting", "Numbers, dates, text", 0, Core(
            "System.Number::*", "System.Number+*::*", "System.Boolean::Parse*", "System.Boolean::TryParse*",
            "System.Byte::Parse*", "System.Byte::TryParse*", "System.Byte::ToString*", "System.Byte::TryFormat*", "System.Int16::Parse*",
            "System.Int16::TryParse*", "System.Int16::ToString*", "System.Int16::TryFormat*",
            "System.Int32::Parse*", "System.Int32::TryParse*", "System.Int32::ToString*", "System.Int32::TryFormat*",
            "System.Int64::Parse*", "System.Int64::TryParse*", "System.Int64::ToString*", "System.Int64::TryFormat*",
            "System.UInt16::Parse*", "System.UInt16::ToString*", "System.UInt32::Parse*", "System.UInt32::ToString*",
            "System.UInt32::TryFormat*", "System.UInt64::Parse*", "System.UInt64::ToString*", "System.UInt64::TryFormat*",
            "System.Single::Parse*", "System.Single::TryParse*", "System.Single::ToString*", "System.Single::TryFormat*",
            "System.Double::Parse*", "System.Double::TryParse*", "System.Double::ToString*", "System.Double::TryFormat*",
            "System.Decimal::Parse*", "System.Decimal::TryParse*", "System.Decimal::ToString*", "System.Decimal::TryFormat*",
            "System.Guid::*", "System.Buffers.Text.Utf8Formatter::*", "System.Buffers.Text.Utf8Parser::*",
            "System.DateTimeFormat::*", "System.DateTimeParse::*", "System.DateTime::Parse*", "System.DateTime::TryParse*",
            "System.DateTime::ToString*", "System.DateTime::TryFormat*", "System.DateTimeOffset::Parse*",
            "System.DateTimeOffset::TryParse*", "System.DateTimeOffset::ToString*", "System.DateTimeOffset::TryFormat*",
            "System.Globalization.TimeSpanFormat::*", "System.Globalization.TimeSpanParse::*", "System.Enum::Parse*",
            "System.Enum::TryParse*", "System.Enum::ToString*", "System.Enum::Format*",
            "System.String::Format*", "System.String::Concat*", "System.String::Join*", "System.String::Replace*", "System.String::Split*",
            "System.String::ToLower*", "System.String::ToUpper*", "System.Text.StringBuilder*::*", "System.Text.ValueStringBuilder::*",
            "System.Text.CompositeFormat::*", "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler::*")),
        new("encoding", "Formatting", "Encoding", 0,
        [
            .. Core(
            "System.Text.Encoding::*", "System.Text.Encoding+*::*", "System.Text.UTF8Encoding*::*", "System.Text.UnicodeEncoding*::*",
            "System.Text.ASCIIEncoding*::*", "System.Text.Latin1Encoding*::*", "System.Text.UTF32Encoding*::*", "System.Text.Encoder*::*",
            "System.Text.Decoder*::*", "System.Text.Unicode.*::*", "System.Text.Ascii*::*", "System.Text.Latin1Utility*::*",
            "System.Convert::ToBase64*", "System.Convert::FromBase64*", "System.Convert::TryToBase64*", "System.Convert::TryFromBase64*",
            "System.Buffers.Text.Base64*::*"),
            new("System.Text.Encodings.Web.*", "*"), new("System.Text.Encoding.*", "*"),
        ]),
        new("compression", "Compression", "", 0, [new("System.IO.Compression*", "*"), new("libSystem.IO.Compression.Native*", "*"),
            new("clrcompression.dll", "*"), new("K4os.Compression.LZ4*", "*"), new("MessagePack.*", "MessagePack.LZ4.*")]),
        new("io", "I/O", "", 0,
        [
            .. Core(
            "System.IO.Stream::*", "System.IO.MemoryStream::*", "System.IO.UnmanagedMemoryStream*::*", "System.IO.FileStream*::*",
            "System.IO.BufferedStream::*", "System.IO.StreamReader*::*", "System.IO.StreamWriter*::*", "System.IO.BinaryReader::*",
            "System.IO.BinaryWriter::*", "System.IO.StringReader::*", "System.IO.StringWriter::*",
            "System.IO.TextReader*::*", "System.IO.TextWriter*::*", "System.IO.Strategies.*::*", "System.IO.RandomAccess::*",
            "System.IO.File::*", "System.IO.__Error::*", "Microsoft.Win32.SafeHandles.SafeFileHandle::*"),
            new("System.IO.Pipelines.*", "*"), new("libSystem.Native.*", "*"),
        ]),
        new(EmittedCode, "Emitted", "Emitted code", Helper, [new("Microsoft.GeneratedCode*", "*"), new("*.XmlSerializers.*", "*"), new("*",
            "dynamicClass::*")]) { EndsOthers = true },
        new("codeGeneration", "Emitted", "Making it", 0, [.. Core("System.Reflection.Emit.*::*"), new("System.Linq.Expressions.*", "*"),
            new("System.Reflection.Emit*", "*"), new("System.Core.*", "System.Linq.Expressions.*")]),
        new("delegates", "Runtime", "Delegates", Helper, [.. Core("System.MulticastDelegate::*", "System.Delegate::Combine*",
            "System.Delegate::CreateDelegate*"), new("[nativeaot]", "[stub] delegate")]),
        new(Instrumentation, "Runtime", "Instrumented code", Helper, [.. Runtime("*JIT_CountProfile*", "*JIT_ClassProfile*",
            "*JIT_DelegateProfile*", "*JIT_MethodProfile*", "*JIT_VTableProfile*", "*JIT_ValueProfile*")]),
        new("stubs", "Runtime", "Stubs", Unnamed, [new("[code heap]", "*"), new("[mono]", "*"), new("[nativeaot]", "[stub] *"),
            .. CompiledAhead("RhpInterfaceDispatch*", "RhpPInvoke*", "RhpUniversalTransition*")]),
        new("helpers", "Runtime", "Helpers without names", Unnamed, [new("libcoreclr.so", "*"), new("libcoreclr.dylib", "*"),
            new("coreclr.dll", "*"), new("clr.dll", "*"), new("mscorwks.dll", "*"), new("libclrgc.so", "*"), new("clrgc.dll", "*"),
                .. Mono("*"), new("ld-linux*", "__tls_get_addr*")]) { OnlyBelowEntry = true },
        new("kernel", "Kernel", "", LastResort, [new("[kernel]*", "*"), new("ntoskrnl.exe", "*"), new("ntkrnl*", "*"), new("win32k*", "*"),
            new("*.sys", "*"), new("*.ko", "*")]),
    ];

    /// <summary>The causes as tags: <c>GROUP\NAME</c>.</summary>
    public static Stacktag Root { get; } = RootOf(All);

    /// <summary>Tags that apply to whole stacks, in WPA and here.</summary>
    public static Stacktag FileRoot { get; } = RootOf(All.Where(cause => !cause.OnlyBelowEntry));

    /// <summary>Index in <see cref="All"/> of the cause with a key.</summary>
    public static int IndexOf(string key) => All.Index().First(cause => cause.Item.Key == key).Index;

    /// <summary>Tag path of a cause.</summary>
    public static string PathOf(Cause cause)
    {
        ArgumentNullException.ThrowIfNull(cause);
        return cause.Name.Length > 0 ? $"{cause.Group}\\{cause.Name}" : cause.Group;
    }

    private static Stacktag RootOf(IEnumerable<Cause> causes) =>
        Stacktag.Group("", [.. causes.GroupBy(cause => cause.Group).Select(Group)]);

    private static Stacktag Group(IGrouping<string, Cause> group) =>
        group.ToList() is [{ Name: "" } only]
            ? new Stacktag(group.Key, only.Priority, only.Entrypoints, [])
            : Stacktag.Group(group.Key, [.. group.Select(cause => new Stacktag(cause.Name, cause.Priority, cause.Entrypoints, []))]);

    /// <summary>
    /// Methods of the core library: mscorlib with its native image on .NET Framework, System.Private.CoreLib on .NET. WPA joins type and
    /// method with two colons for jitted code, and with a dot for precompiled code.
    /// </summary>
    private static StacktagEntrypoint[] Core(params ReadOnlySpan<string> methods)
    {
        var entrypoints = new List<StacktagEntrypoint>();
        foreach (var method in methods)
        {
            foreach (var module in (string[])["System.Private.CoreLib.*", "mscorlib.*"])
            {
                entrypoints.Add(new StacktagEntrypoint(module, method));
                entrypoints.Add(new StacktagEntrypoint(module, method.Replace("::", ".", StringComparison.Ordinal)));
            }
        }

        return [.. entrypoints];
    }

    /// <summary>Functions of Mono's executable, whose exported functions have names.</summary>
    private static StacktagEntrypoint[] Mono(params ReadOnlySpan<string> functions)
    {
        var entrypoints = new List<StacktagEntrypoint>();
        foreach (var function in functions)
        {
            entrypoints.Add(new StacktagEntrypoint("mono-sgen", function));
            entrypoints.Add(new StacktagEntrypoint("libmonosgen-2.0.so*", function));
        }

        return [.. entrypoints];
    }

    /// <summary>
    /// Functions of the runtime that NativeAOT links into a program: the module is the program. Their names are the runtime's alone
    /// (src/coreclr/nativeaot and src/coreclr/gc of dotnet/runtime).
    /// </summary>
    private static IEnumerable<StacktagEntrypoint> CompiledAhead(params IEnumerable<string> functions) =>
        functions.Select(function => new StacktagEntrypoint("*", function));

    /// <summary>Functions of the runtime, which have names if symbols are available.</summary>
    private static StacktagEntrypoint[] Runtime(params ReadOnlySpan<string> functions)
    {
        var entrypoints = new List<StacktagEntrypoint>();
        foreach (var function in functions)
        {
            entrypoints.Add(new StacktagEntrypoint("clr.dll", function));
            entrypoints.Add(new StacktagEntrypoint("*coreclr.*", function));
        }

        return [.. entrypoints];
    }
}

/// <summary>A cause of CPU time below a serializer's entry.</summary>
/// <param name="Key">Name in CSV and JSON, without the unit.</param>
/// <param name="Group">Name of the group; text output shows one column per group.</param>
/// <param name="Name">Name in the group; empty if the group has only this cause.</param>
/// <param name="Priority">0; lower for causes that count only without others: helpers of the runtime, the kernel.</param>
/// <param name="Entrypoints">Frames in which the cause begins.</param>
public sealed record Cause(string Key, string Group, string Name, int Priority, IReadOnlyList<StacktagEntrypoint> Entrypoints)
{
    /// <summary>
    /// Whether its frames are significant only below a serializer's entry. Every managed thread begins in the runtime's library, so the tag
    /// would match all stacks without another tag. It is therefore in no tag file.
    /// </summary>
    public bool OnlyBelowEntry { get; init; }

    /// <summary>
    /// Whether its frames also replace a stronger cause: program code that reflection calls is not reflection, even if it was emitted.
    /// </summary>
    public bool EndsOthers { get; init; }
}
