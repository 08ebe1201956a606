using System.Globalization;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Where the kernel's code lies, by /proc/kallsyms.</summary>
/// <param name="Start">Address of the first symbol.</param>
/// <param name="End">Address of <c>_etext</c>.</param>
/// <param name="FirstSymbol">
/// <c>_text</c>, else <c>_stext</c>: arm64's code before that runs only while booting, and the table leaves it out. perf names the mapping
/// by it.
/// </param>
internal readonly record struct KernelText(ulong Start, ulong End, string FirstSymbol)
{
    /// <summary>Finds it in the lines of the file; null when they hide addresses from this user.</summary>
    public static KernelText? Find(IEnumerable<string> symbols)
    {
        ulong text = 0,
            code = 0,
            end = 0;
        foreach (var line in symbols)
        {
            if (text == 0 && line.EndsWith(" _text", StringComparison.Ordinal))
                text = Address(line);
            else if (code == 0 && line.EndsWith(" _stext", StringComparison.Ordinal))
                code = Address(line);
            else if (line.EndsWith(" _etext", StringComparison.Ordinal))
                end = Address(line);
            if (end != 0)
                break;
        }

        var found = text != 0 ? new KernelText(text, end, "_text") : new KernelText(code, end, "_stext");
        return found.Start != 0 && found.End > found.Start ? found : null;

        static ulong Address(string line) =>
            ulong.Parse(line.AsSpan(0, line.IndexOf(' ', StringComparison.Ordinal)), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
    }
}
