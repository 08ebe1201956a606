using System.Reflection.Emit;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Instructions;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Instructions;

public sealed class IlNamesTests
{
    private static readonly ModuleMetadata s_own = ModuleMetadata.Read(typeof(IlNamesTests).Assembly.Location);

    [Fact]
    public void Operands_have_the_names_of_the_metadata()
    {
        var texts = Texts(s_own, s_own.Body(typeof(Written).GetMethod(nameof(Written.All))!.MetadataToken)!)
            .Where(text => !text.StartsWith("nop", StringComparison.Ordinal))
            .ToList();

        string[] expected =
        [
            "ldstr \"a \\\"quoted\\\" \\u000a text\"",
            "call System.Console::WriteLine(string)",
            "newobj System.Collections.Generic.List`1<int32>::.ctor()",
            "callvirt System.Collections.Generic.List`1<int32>::Add(!0)",
            "call System.Linq.Enumerable::Sum<int32>(System.Collections.Generic.IEnumerable`1<!!0>, System.Func`2<!!0, int32>)",
            "ldsfld EtwSerializerProfiler.Traces.Tests.Symbols.Instructions.IlNamesTests+Written::s_count",
            "newarr System.Int64",
            "ldc.r8 2.5",
            "ldc.i4 1664525",
            "box System.Int32",
        ];
        Assert.All(expected, text => Assert.Contains(text, texts));
        Assert.Contains(texts, text => text.StartsWith('b') && text.Contains(" IL_00", StringComparison.Ordinal));
        Assert.Contains(texts, text => text.StartsWith("switch (IL_", StringComparison.Ordinal));
    }

    [Fact]
    public void All_methods_of_an_assembly_are_written_whole()
    {
        var (methods, instructions) = (0, 0);
        for (var row = 1; row <= s_own.Reader.MethodDefinitions.Count; row++)
        {
            if (s_own.Body(0x0600_0000 | row) is not { } il)
                continue;
            methods++;
            instructions += Texts(s_own, il).Count;
        }

        Assert.True(methods > 500 && instructions > 10_000, $"{methods} methods, {instructions} instructions");
    }

    [Fact]
    public void Damaged_bytes_are_an_error_of_the_format_and_unknown_tokens_are_numbers()
    {
        var random = new Random(1);
        var whole = 0;
        for (var round = 0; round < 5000; round++)
        {
            var bytes = new byte[random.Next(1, 40)];
            random.NextBytes(bytes);
            try
            {
                Texts(s_own, bytes);
                whole++;
            }
            catch (BadImageFormatException)
            {
                continue;
            }
        }

        Assert.True(whole > 50, $"{whole} of 5000 were read");
        Assert.Equal(["call 0x0affffff"], Texts(s_own, [(byte)OpCodes.Call.Value, 0xFF, 0xFF, 0xFF, 0x0A]));
        Assert.Throws<BadImageFormatException>(() => Texts(s_own, [(byte)OpCodes.Switch.Value, 0xFF, 0xFF, 0xFF, 0xFF]));
    }

    private static List<string> Texts(ModuleMetadata module, byte[] il)
    {
        var names = new IlNames(module.Reader);
        return [.. IlInstruction.ReadAll(il).Select(instruction => names.Text(instruction))];
    }

    private static class Written
    {
        private static int s_count;

        public static object All(int value)
        {
            Console.WriteLine("a \"quoted\" \n text");
            var list = new List<int>();
            list.Add(value);
            s_count += list.Sum(item => item * 1_664_525);
            var more = new long[value];
            var number = 2.5 * value;
            switch (value)
            {
                case 0:
                    return s_count;
                case 1:
                    return more;
                case 2:
                    return number + 1_664_525;
                case 3:
                    return list;
                case 4:
                    return 1_664_525 * value;
                default:
                    return value;
            }
        }
    }
}
