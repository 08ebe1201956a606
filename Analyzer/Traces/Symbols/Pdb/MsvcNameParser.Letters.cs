namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>Meanings of single letters.</summary>
internal sealed partial class MsvcNameParser
{
    /// <summary>Operators of one letter.</summary>
    private static string? ShortOperator(char letter) =>
        letter switch
        {
            '0' => Constructor,
            '1' => Destructor,
            '2' => "operator new",
            '3' => "operator delete",
            '4' => "operator=",
            '5' => "operator>>",
            '6' => "operator<<",
            '7' => "operator!",
            '8' => "operator==",
            '9' => "operator!=",
            'A' => "operator[]",
            'B' => Conversion,
            'C' => "operator->",
            'D' => "operator*",
            'E' => "operator++",
            'F' => "operator--",
            'G' => "operator-",
            'H' => "operator+",
            'I' => "operator&",
            'J' => "operator->*",
            'K' => "operator/",
            'L' => "operator%",
            'M' => "operator<",
            'N' => "operator<=",
            'O' => "operator>",
            'P' => "operator>=",
            'Q' => "operator,",
            'R' => "operator()",
            'S' => "operator~",
            'T' => "operator^",
            'U' => "operator|",
            'V' => "operator&&",
            'W' => "operator||",
            'X' => "operator*=",
            'Y' => "operator+=",
            'Z' => "operator-=",
            _ => null,
        };

    /// <summary>Operators after an underscore.</summary>
    private static string? MiddleOperator(char letter) =>
        letter switch
        {
            '0' => "operator/=",
            '1' => "operator%=",
            '2' => "operator>>=",
            '3' => "operator<<=",
            '4' => "operator&=",
            '5' => "operator|=",
            '6' => "operator^=",
            '9' => "`vcall'",
            'D' => "`vbase dtor'",
            'E' => "`vector deleting dtor'",
            'F' => "`default ctor closure'",
            'G' => "`scalar deleting dtor'",
            'H' => "`vector ctor iterator'",
            'I' => "`vector dtor iterator'",
            'J' => "`vector vbase ctor iterator'",
            'L' => "`eh vector ctor iterator'",
            'M' => "`eh vector dtor iterator'",
            'N' => "`eh vector vbase ctor iterator'",
            'O' => "`copy ctor closure'",
            'U' => "operator new[]",
            'V' => "operator delete[]",
            _ => null,
        };

    /// <summary>Operators after two underscores.</summary>
    private static string? LongOperator(char letter) =>
        letter switch
        {
            'L' => "operator co_await",
            'M' => "operator<=>",
            _ => null,
        };

    /// <summary>Types of one letter.</summary>
    private static string? Primitive(char letter) =>
        letter switch
        {
            'X' => "void",
            'D' => "char",
            'C' => "signed char",
            'E' => "unsigned char",
            'F' => "short",
            'G' => "unsigned short",
            'H' => "int",
            'I' => "unsigned int",
            'J' => "long",
            'K' => "unsigned long",
            'M' => "float",
            'N' => "double",
            'O' => "long double",
            _ => null,
        };

    /// <summary>Types after an underscore.</summary>
    private static string? LongPrimitive(char letter) =>
        letter switch
        {
            'N' => "bool",
            'J' => "__int64",
            'K' => "unsigned __int64",
            'L' => "__int128",
            'M' => "unsigned __int128",
            'W' => "wchar_t",
            'Q' => "char8_t",
            'S' => "char16_t",
            'U' => "char32_t",
            _ => null,
        };

    /// <summary>Calling conventions.</summary>
    private static string? Convention(char letter) =>
        letter switch
        {
            'A' or 'B' => "__cdecl",
            'E' or 'F' => "__thiscall",
            'G' or 'H' => "__stdcall",
            'I' or 'J' => "__fastcall",
            'M' or 'N' => "__clrcall",
            'Q' => "__vectorcall",
            _ => null,
        };
}
