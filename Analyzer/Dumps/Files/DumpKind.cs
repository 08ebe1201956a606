namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>How a dump is stored.</summary>
public enum DumpKind
{
    /// <summary>ELF core file: Linux.</summary>
    ElfCore = 0,

    /// <summary>Minidump: Windows, whatever it holds.</summary>
    Minidump = 1,
}
