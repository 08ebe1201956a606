namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// Parses one decorated C++ name. The name comes first in it, so parameters are read only where a name contains another symbol.
/// </summary>
/// <param name="text">The decorated name.</param>
/// <remarks>
/// Format: that of the Microsoft ABI as LLVM's MicrosoftDemangle describes it: <c>?</c>, the function's name, its scopes from the innermost
/// outwards, <c>@</c>, then the kind of symbol. The first ten names (and parameter types) can be referred to by a digit; template arguments
/// are counted separately.
/// </remarks>
internal sealed partial class MsvcNameParser(string text)
{
    /// <summary>Maximum number of names that digits can refer to.</summary>
    private const int MaxReferences = 10;

    /// <summary>Maximum depth and length: names that refer to each other grow exponentially.</summary>
    private const int Deepest = 64;
    private const int MaxLength = 4096;

    /// <summary>
    /// Placeholders for the class name in a constructor's name and for the type in a conversion's name, until they are known.
    /// </summary>
    private const string Constructor = "\u0001";
    private const string Destructor = "~\u0001";
    private const string Conversion = "operator \u0002";

    private int _at;
    private int _depth;
    private bool _isBad;

    /// <summary>By key: anonymous namespaces differ by their number, but have the same text.</summary>
    private List<(string Key, string Text)> _names = [];
    private List<MsvcType> _types = [];

    /// <summary>The qualified name; null when the text is not understood.</summary>
    public string? QualifiedName()
    {
        var name = Symbol(needsWhole: false);
        return _isBad || name.Length == 0 ? null : name;
    }

    /// <summary>A symbol: <c>?</c>, qualified name, kind.</summary>
    /// <param name="needsWhole">Whether to read all of it, because something follows.</param>
    private string Symbol(bool needsWhole)
    {
        if (!TryTake('?') || _isBad || ++_depth > Deepest)
            return Fail();
        string name;
        if (TryTake("?__E") || TryTake("?__F"))
        {
            var what = text[_at - 1] == 'E' ? "`dynamic initializer for '" : "`dynamic atexit destructor for '";
            var isMember = Peek() == '?';
            name = isMember ? Symbol(needsWhole: true) : Qualified(SymbolName());
            if (isMember && !TryTake("@@"))
                return Fail();
            name = $"{what}{name}''";
        }
        else
        {
            name = Qualified(SymbolName());
        }

        if (needsWhole || name.Contains('\u0002', StringComparison.Ordinal))
        {
            var returned = Kind();
            name = name.Replace("\u0002", returned, StringComparison.Ordinal);
        }

        _depth--;
        return Checked(name);
    }

    /// <summary>Puts a name after its scopes, which follow in the text up to an at sign.</summary>
    private string Qualified(string name)
    {
        var scopes = "";
        var innermost = "";
        while (!_isBad && !TryTake('@'))
        {
            var scope = Scope();
            if (scopes.Length == 0)
                innermost = scope;
            scopes = Checked($"{scope}::{scopes}");
        }

        if (name.Contains('\u0001', StringComparison.Ordinal))
        {
            if (innermost.Length == 0)
                return Fail();
            name = name.Replace("\u0001", innermost, StringComparison.Ordinal);
        }

        return Checked(scopes + name);
    }

    /// <summary>The name of a function or variable, without scopes.</summary>
    private string SymbolName()
    {
        if (Peek() is >= '0' and <= '9')
            return Reference();
        if (TryTake("?$"))
            return Template(isType: false);
        return TryTake('?') ? Operator() : Simple();
    }

    /// <summary>The name of a type, without scopes.</summary>
    private string TypeName()
    {
        if (Peek() is >= '0' and <= '9')
            return Reference();
        return TryTake("?$") ? Template(isType: true) : Simple();
    }

    private string Scope()
    {
        if (Peek() is >= '0' and <= '9')
            return Reference();
        if (TryTake("?$"))
            return Template(isType: true);
        if (TryTake("?A"))
        {
            var end = text.IndexOf('@', _at);
            if (end < 0)
                return Fail();
            Remember(text[_at..end], "`anonymous namespace'");
            _at = end + 1;
            return "`anonymous namespace'";
        }

        if (!TryTake('?'))
            return Simple();

        // A local name of a function: the number of its block, and the function.
        var number = Number();
        if (!TryTake('?'))
            return Fail();
        return FormattableString.Invariant($"`{Symbol(needsWhole: true)}'::`{number}'");
    }

    /// <summary>A special name, after its question mark.</summary>
    private string Operator()
    {
        if (TryTake("__K"))
            return $"operator \"\"{SimpleWithoutReference()}";
        if (TryTake("__"))
            return LongOperator(Next()) ?? Fail();
        if (TryTake('_'))
            return MiddleOperator(Next()) ?? Fail();
        return ShortOperator(Next()) ?? Fail();
    }

    /// <summary>A name with template arguments. Inside it, references are counted separately.</summary>
    private string Template(bool isType)
    {
        if (++_depth > Deepest)
            return Fail();
        var (names, types) = (_names, _types);
        (_names, _types) = ([], []);
        var name = SymbolName();
        var arguments = TemplateArguments();
        (_names, _types) = (names, types);
        _depth--;
        name = Checked($"{name}<{arguments}>");
        if (isType)
            Remember(name, name);
        return name;
    }

    private string TemplateArguments()
    {
        var list = "";
        while (!_isBad && !TryTake('@'))
        {
            if (TryTake("$$V") || TryTake("$$$V") || TryTake("$$Z") || TryTake("$S"))
                continue;
            var argument = TemplateArgument();
            list = Checked(list.Length == 0 ? argument : $"{list}, {argument}");
        }

        return list;
    }

    private string TemplateArgument()
    {
        if (TryTake("$$Y"))
            return Qualified(TypeName());
        if (TryTake("$$B"))
            return Type(QualifiersMode.None).Text;
        if (TryTake("$$C"))
            return Type(QualifiersMode.Leading).Text;
        if (TryTake("$0"))
            return FormattableString.Invariant($"{Number()}");
        if (TryTake("$1"))
            return $"&{Symbol(needsWhole: true)}";
        if (TryTake("$E"))
            return Symbol(needsWhole: true);
        return Peek() == '$' && !IsTypeWithDollar() ? Fail() : Type(QualifiersMode.None).Text;
    }

    private bool IsTypeWithDollar() =>
        string.CompareOrdinal(text, _at, "$$Q", 0, 3) == 0
        || string.CompareOrdinal(text, _at, "$$A", 0, 3) == 0
        || string.CompareOrdinal(text, _at, "$$T", 0, 3) == 0;

    private string Simple()
    {
        var name = SimpleWithoutReference();
        Remember(name, name);
        return name;
    }

    private string SimpleWithoutReference()
    {
        var end = text.IndexOf('@', _at);
        if (end <= _at)
            return Fail();
        var name = text[_at..end];
        _at = end + 1;
        return name;
    }

    private void Remember(string key, string name)
    {
        if (_names.Count < MaxReferences && !_names.Exists(known => known.Key == key))
            _names.Add((key, name));
    }

    private string Reference()
    {
        var number = Next() - '0';
        return number < _names.Count ? _names[number].Text : Fail();
    }

    /// <summary>A digit means its value plus one; other numbers are hexadecimal with the letters A to P.</summary>
    private long Number()
    {
        var isNegative = TryTake('?');
        if (Peek() is >= '0' and <= '9')
            return (Next() - '0' + 1) * (isNegative ? -1 : 1);
        var value = 0L;
        for (var digits = 0; digits <= 16; digits++)
        {
            var letter = Next();
            if (letter == '@')
                return isNegative ? -value : value;
            if (letter is < 'A' or > 'P')
                break;
            value = (value << 4) + (letter - 'A');
        }

        Fail();
        return 0;
    }

    private char Peek() => _at < text.Length ? text[_at] : '\0';

    private char Next() => _at < text.Length ? text[_at++] : '\0';

    private bool TryTake(char letter)
    {
        if (Peek() != letter || _at >= text.Length)
            return false;
        _at++;
        return true;
    }

    private bool TryTake(string letters)
    {
        if (string.CompareOrdinal(text, _at, letters, 0, letters.Length) != 0)
            return false;
        _at += letters.Length;
        return true;
    }

    private string Checked(string result) => result.Length <= MaxLength ? result : Fail();

    private string Fail()
    {
        _isBad = true;
        return "";
    }
}
