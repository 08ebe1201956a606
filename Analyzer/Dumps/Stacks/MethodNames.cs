using System.Text;

namespace EtwSerializerProfiler.Dumps.Stacks;

/// <summary>
/// Makes names of methods and types readable: the debugging library writes type arguments with assemblies, <c>List`1[[System.Int32,
/// System.Private.CoreLib]]</c>.
/// </summary>
internal static class MethodNames
{
    /// <summary>Returns the name with type arguments in C# syntax: <c>List`1&lt;System.Int32&gt;</c>.</summary>
    public static string Simplify(string name)
    {
        if (!name.Contains("[[", StringComparison.Ordinal))
            return name;
        var text = new StringBuilder(name.Length);
        var at = 0;
        Append(name, ref at, text, inArguments: false);
        return text.ToString();
    }

    /// <summary>Copies up to the end, or up to the bracket that closes a list of arguments.</summary>
    private static void Append(string name, ref int at, StringBuilder text, bool inArguments)
    {
        while (at < name.Length)
        {
            if (name[at] == '[' && at + 1 < name.Length && name[at + 1] == '[')
            {
                at++;
                text.Append('<');
                Append(name, ref at, text, inArguments: true);
                text.Append('>');
            }
            else if (inArguments && name[at] == '[')
            {
                at++;
                Argument(name, ref at, text);
            }
            else if (inArguments && name[at] == ']')
            {
                at++;
                return;
            }
            else if (inArguments && name[at] == ',')
            {
                at++;
                text.Append(", ");
            }
            else
            {
                text.Append(name[at++]);
            }
        }
    }

    /// <summary>Copies one argument without the assembly after the comma.</summary>
    private static void Argument(string name, ref int at, StringBuilder text)
    {
        var isType = true;
        while (at < name.Length)
        {
            if (name[at] == '[' && at + 1 < name.Length && name[at + 1] == '[')
            {
                at++;
                text.Append('<');
                Append(name, ref at, text, inArguments: true);
                text.Append('>');
                continue;
            }

            if (name[at] == '[')
            {
                // The brackets of an array.
                while (at < name.Length && name[at] != ']')
                    Take(name[at++]);
                if (at < name.Length)
                    Take(name[at++]);
                continue;
            }

            if (name[at] == ']')
            {
                at++;
                return;
            }

            if (name[at] == ',')
                isType = false;
            Take(name[at++]);
        }

        void Take(char letter)
        {
            if (isType)
                text.Append(letter);
        }
    }
}
