namespace EtwSerializerProfiler.Polyfills;

/// <summary>String and character members of newer class libraries.</summary>
internal static class Texts
{
    private const StringSplitOptions TrimBit = (StringSplitOptions)2;

    extension(StringSplitOptions)
    {
        public static StringSplitOptions TrimEntries => TrimBit;
    }

    extension(string)
    {
        public static string Create(IFormatProvider provider, FormattableString text) => text.ToString(provider);

        public static string Join<T>(char separator, IEnumerable<T> values) => string.Join(separator.ToString(), values);
    }

    extension(string text)
    {
        public string[] Split(char separator, StringSplitOptions options = StringSplitOptions.None)
        {
            if ((options & TrimBit) == 0)
                return text.Split([separator], options);
            var parts = text.Split(separator).Select(part => part.Trim());
            return [.. (options & StringSplitOptions.RemoveEmptyEntries) == 0 ? parts : parts.Where(part => part.Length > 0)];
        }

        public bool StartsWith(char value) => text.Length > 0 && text[0] == value;

        public bool Contains(string value, StringComparison comparison) => text.IndexOf(value, comparison) >= 0;

        public bool Contains(char value, StringComparison comparison) => text.IndexOf(value.ToString(), comparison) >= 0;

        public string Replace(string oldValue, string newValue, StringComparison comparison) =>
            comparison == StringComparison.Ordinal ? text.Replace(oldValue, newValue) : throw new NotSupportedException("Ordinal only.");
    }

    extension(char)
    {
        public static bool IsAsciiLetter(char value) => (uint)((value | 0x20) - 'a') < 26;
    }

    extension(Enum)
    {
        public static string[] GetNames<T>()
            where T : struct, Enum => Enum.GetNames(typeof(T));

        public static T Parse<T>(string value)
            where T : struct, Enum => (T)Enum.Parse(typeof(T), value);

        public static T[] GetValues<T>()
            where T : struct, Enum => (T[])Enum.GetValues(typeof(T));
    }
}
