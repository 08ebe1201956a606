using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Demangles C++ names (they begin with <c>_Z</c>) by <c>__cxa_demangle</c> of libstdc++, which .NET on Linux with glibc requires.
/// Without that library, names stay mangled, as do names that it does not know.
/// </summary>
internal static unsafe class CppNames
{
    private static readonly delegate* unmanaged<byte*, byte*, nuint*, int*, byte*> s_demangle = Find("libstdc++.so.6", "__cxa_demangle");

    /// <summary>The readable name.</summary>
    public static string Demangle(string name)
    {
        if (s_demangle is null || !name.StartsWith("_Z", StringComparison.Ordinal))
            return name;

        // In .symtab a version follows after an at sign; it is not part of the mangled name.
        var end = name.IndexOf('@', StringComparison.Ordinal);
        var mangled = Marshal.StringToCoTaskMemUTF8(end < 0 ? name : name[..end]);
        try
        {
            int status;
            var text = s_demangle((byte*)mangled, null, null, &status);
            if (text is null)
                return name;
            var readable = status == 0 ? Marshal.PtrToStringUTF8((nint)text) : null;
            NativeMemory.Free(text); // allocated by malloc(3)
            return string.IsNullOrEmpty(readable) ? name : readable;
        }
        finally
        {
            Marshal.FreeCoTaskMem(mangled);
        }
    }

    /// <summary>A function of a library; null when there is none.</summary>
    private static delegate* unmanaged<byte*, byte*, nuint*, int*, byte*> Find(string library, string function) =>
        OperatingSystem.IsLinux()
        && NativeLibrary.TryLoad(library, out var handle)
        && NativeLibrary.TryGetExport(handle, function, out var address)
            ? (delegate* unmanaged<byte*, byte*, nuint*, int*, byte*>)address
            : null;
}
