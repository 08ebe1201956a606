namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>Parses types: they occur in template arguments, and in the parameters of functions inside a name.</summary>
internal sealed partial class MsvcNameParser
{
    /// <summary>Position of const and volatile of a type: absent, in front, or in front after a question mark (return types).</summary>
    private enum QualifiersMode
    {
        None,
        Leading,
        Returned,
    }

    /// <summary>The kind of symbol, which its type follows.</summary>
    /// <returns>The return type; empty for variables, constructors, destructors.</returns>
    private string Kind()
    {
        TryTake("$$J0");
        var kind = Next();
        if (kind is >= '0' and <= '4')
        {
            var type = Type(QualifiersMode.None);
            if (type.IsPointer)
                PointerExtensions();
            Qualifiers();
            return "";
        }

        if (kind == '9')
            return "";
        if (kind is < 'A' or > 'Z')
            return Fail();

        // Eight letters for each of private, protected and public: two each for instance, static, virtual functions and thunks.
        if (kind < 'Y' && (kind - 'A') % 8 >= 6)
            Number();
        return Function(hasThis: kind < 'Y' && (kind - 'A') % 8 is not (2 or 3)).Before;
    }

    private MsvcType Type(QualifiersMode mode)
    {
        if (++_depth > Deepest || _isBad)
            return new MsvcType(Fail());
        var qualifiers = mode == QualifiersMode.Leading || (mode == QualifiersMode.Returned && TryTake('?')) ? Qualifiers() : "";
        var type = UnqualifiedType(qualifiers);
        _depth--;
        return type with { Before = Checked(type.Before), Behind = Checked(type.Behind) };
    }

    private MsvcType UnqualifiedType(string qualifiers)
    {
        if (TryTake("$$A6"))
            return Function(hasThis: false);
        if (TryTake("$$A8@@"))
            return Function(hasThis: true);
        if (TryTake("$$T"))
            return new MsvcType("std::nullptr_t" + qualifiers);
        if (TryTake("$$Q"))
            return Pointer("&&", "");
        switch (Next())
        {
            case 'T':
                return new MsvcType($"union {Qualified(TypeName())}{qualifiers}");
            case 'U':
                return new MsvcType($"struct {Qualified(TypeName())}{qualifiers}");
            case 'V':
                return new MsvcType($"class {Qualified(TypeName())}{qualifiers}");
            case 'W':
                return TryTake('4') ? new MsvcType($"enum {Qualified(TypeName())}{qualifiers}") : new MsvcType(Fail());
            case 'A':
                return Pointer("&", qualifiers);
            case 'B':
                return Pointer("&", " volatile");
            case 'P':
                return Pointer("*", qualifiers);
            case 'Q':
                return Pointer("*", " const");
            case 'R':
                return Pointer("*", " volatile");
            case 'S':
                return Pointer("*", " const volatile");
            case 'Y':
                return Array(qualifiers);
            case '_':
                return new MsvcType((LongPrimitive(Next()) ?? Fail()) + qualifiers);
            case var letter when Primitive(letter) is { } name:
                return new MsvcType(name + qualifiers);
            default:
                return new MsvcType(Fail());
        }
    }

    private MsvcType Pointer(string sign, string qualifiers)
    {
        if (TryTake('6'))
        {
            var function = Function(hasThis: false);
            return new MsvcType($"{function.Before} ({function.Convention} {sign}{qualifiers.TrimStart()}", $"){function.Behind}", true);
        }

        var isRestrict = PointerExtensions();
        if (Peek() is not (>= 'A' and <= 'D'))
            return new MsvcType(Fail()); // to members: rare, stays decorated
        var pointee = Type(QualifiersMode.Leading);
        var space =
            pointee.Before.Length > 0 && (char.IsAsciiLetterOrDigit(pointee.Before[^1]) || pointee.Before[^1] is '>' or '_') ? " " : "";
        var own =
            sign
            + qualifiers.TrimStart()
            + (
                isRestrict
                    ? qualifiers.Length > 0
                        ? " __restrict"
                        : "__restrict"
                    : ""
            );
        return pointee.Behind.StartsWith('[')
            ? new MsvcType($"{pointee.Before} ({own}", $"){pointee.Behind}", true)
            : new MsvcType(pointee.Before + space + own, pointee.Behind, true);
    }

    /// <summary>64 bit, __restrict, __unaligned.</summary>
    private bool PointerExtensions()
    {
        var isRestrict = false;
        for (; Peek() is 'E' or 'I' or 'F'; _at++)
            isRestrict |= Peek() == 'I';
        return isRestrict;
    }

    private string Qualifiers()
    {
        switch (Next())
        {
            case 'A':
                return "";
            case 'B':
                return " const";
            case 'C':
                return " volatile";
            case 'D':
                return " const volatile";
            default:
                return Fail();
        }
    }

    private MsvcType Array(string qualifiers)
    {
        var rank = Number();
        var sizes = "";
        for (var i = 0L; i < rank && !_isBad; i++)
            sizes = Checked(FormattableString.Invariant($"{sizes}[{Number()}]"));
        var of = TryTake("$$C") ? Qualifiers() : qualifiers;
        var element = Type(QualifiersMode.None);
        return new MsvcType(element.Before + of, sizes + element.Behind);
    }

    /// <summary>A function: return type, calling convention, parameters.</summary>
    private MsvcType Function(bool hasThis)
    {
        var ofThis = "";
        if (hasThis)
        {
            PointerExtensions();
            var reference =
                TryTake('G') ? " &"
                : TryTake('H') ? " &&"
                : "";
            ofThis = Qualifiers() + reference;
        }

        var convention = Convention(Next()) ?? Fail();
        var returned = TryTake('@') ? new MsvcType("") : Type(QualifiersMode.Returned);
        var parameters = Parameters();
        if (!TryTake("_E") && !TryTake('Z'))
            return new MsvcType(Fail());
        return new MsvcType(returned.Text, $"({parameters}){ofThis}", Convention: convention);
    }

    private string Parameters()
    {
        if (TryTake('X'))
            return "void";
        var list = "";
        while (!_isBad && !TryTake('@'))
        {
            string parameter;
            if (TryTake('Z'))
                return list.Length == 0 ? "..." : $"{list}, ...";
            if (Peek() is >= '0' and <= '9')
            {
                var number = Next() - '0';
                parameter = number < _types.Count ? _types[number].Text : Fail();
            }
            else
            {
                var start = _at;
                var type = Type(QualifiersMode.None);
                if (_at - start > 1 && _types.Count < MaxReferences)
                    _types.Add(type);
                parameter = type.Text;
            }

            list = Checked(list.Length == 0 ? parameter : $"{list}, {parameter}");
        }

        return list;
    }
}
