namespace EtwSerializerProfiler.DumpHook;

/// <summary>An exception whose throw is waited for.</summary>
public sealed class HookTrigger
{
    /// <summary>Makes it.</summary>
    /// <param name="typeName">Full name of the exception's type, <c>System.FormatException</c>; without a dot its name in any namespace.</param>
    /// <param name="messageText">What its message must contain, in any case of letters; empty for any message.</param>
    /// <param name="number">Which of the throws it is, from 1 on.</param>
    public HookTrigger(string typeName, string messageText, long number)
    {
        TypeName = typeName;
        MessageText = messageText;
        Number = number;
    }

    /// <summary>Full name of the type, or its name in any namespace when there is no dot in it.</summary>
    public string TypeName { get; }

    /// <summary>What the message must contain; empty for any.</summary>
    public string MessageText { get; }

    /// <summary>Which throw it is, from 1 on.</summary>
    public long Number { get; }

    /// <summary>Whether a type is the one; types derived from it are not.</summary>
    /// <param name="fullName">Full name with namespace; arguments of a generic type are not looked at.</param>
    public bool IsType(string fullName)
    {
        var end = fullName.IndexOf('[');
        var name = end < 0 ? fullName.AsSpan() : fullName.AsSpan(0, end);
        if (TypeName.IndexOf('.') < 0)
            name = name[(name.LastIndexOf('.') + 1)..];
        return name.SequenceEqual(TypeName.AsSpan());
    }

    /// <summary>Whether a message is one of those waited for.</summary>
    public bool IsMessage(string message) => MessageText.Length == 0 || message.Contains(MessageText, StringComparison.OrdinalIgnoreCase);
}
