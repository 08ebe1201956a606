using EtwSerializerProfiler.Traces.Symbols.Instructions;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Instructions;

public sealed class DisassemblerTests
{
    private const ulong Start = 0x7F00_0000_1000;

    [Theory]
    [InlineData("55", "push rbp")]
    [InlineData("488B4508", "mov rax, [rbp+8]")]
    [InlineData("69C00D661900", "imul eax, 0x19660d")]
    [InlineData("EBFE", "jmp +0x0000")]
    [InlineData("E8FB0F0000", "call App.A.First")]
    [InlineData("E8FB1F0000", "call 0x7f0000003000")]
    [InlineData("C3", "ret")]
    [InlineData("06", "db 0x06")]
    public void Instructions_become_text(string bytes, string expected)
    {
        var instruction = Assert.Single(
            Disassembler.Read(Convert.FromHexString(bytes), Start, address => address == Start + 0x1000 ? "App.A.First" : null)
        );

        Assert.Equal(new MachineInstruction(0, (uint)bytes.Length / 2, expected), instruction);
    }

    [Fact]
    public void Every_byte_belongs_to_an_instruction()
    {
        var random = new Random(1);
        for (var length = 0; length < 400; length++)
        {
            var bytes = new byte[length];
            random.NextBytes(bytes);
            var at = 0u;
            foreach (var instruction in Disassembler.Read(bytes, Start, _ => null))
            {
                Assert.Equal(at, instruction.Offset);
                Assert.NotEmpty(instruction.Text);
                at += instruction.Length;
            }

            Assert.Equal((uint)length, at);
        }
    }
}
