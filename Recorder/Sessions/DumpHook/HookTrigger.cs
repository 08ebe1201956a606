namespace EtwSerializerProfiler.DumpHook;

/// <summary>An exception whose throw triggers a dump.</summary>
public sealed class HookTrigger
{
    /// <summary>Creates a trigger.</summary>
    /// <param name="typeName">
    /// Full name of the exception's type, such as <c>System.FormatException</c>; a name without a dot matches any namespace.
    /// </param>
    /// <param name="messageText">Text that the message must contain, ignoring case; empty for any message.</param>
    /// <param name="number">Ordinal of the throw that triggers, from 1.</param>
    public HookTrigger(string typeName, string messageText, long number)
    {
        TypeName = typeName;
        MessageText = messageText;
        Number = number;
    }

    /// <summary>Full name of the type; without a dot, its name in any namespace.</summary>
    public string TypeName { get; }

    /// <summary>Text that the message must contain; empty for any message.</summary>
    public string MessageText { get; }

    /// <summary>Ordinal of the throw that triggers, from 1.</summary>
    public long Number { get; }

    /// <summary>Whether a type matches; derived types do not.</summary>
    /// <param name="fullName">Full name with namespace; type arguments are ignored.</param>
    public bool IsType(string fullName)
    {
        var end = fullName.IndexOf('[');
        var name = end < 0 ? fullName.AsSpan() : fullName.AsSpan(0, end);
        if (TypeName.IndexOf('.') < 0)
            name = name[(name.LastIndexOf('.') + 1)..];
        return name.SequenceEqual(TypeName.AsSpan());
    }

    /// <summary>Whether a message matches.</summary>
    public bool IsMessage(string message) => MessageText.Length == 0 || message.Contains(MessageText, StringComparison.OrdinalIgnoreCase);
}
