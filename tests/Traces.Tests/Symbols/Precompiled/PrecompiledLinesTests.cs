using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;
using EtwSerializerProfiler.Traces.Symbols.Pdb;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;
using EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Precompiled;

/// <summary>
/// Lines of a precompiled assembly of the platform, by a PDB that was made for it: line N + 1 begins at IL offset N of every method.
/// </summary>
public sealed class PrecompiledLinesTests : IDisposable
{
    private const ulong Base = 0x7000_0000;

    private static readonly string s_path = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "System.Threading.dll");

    private readonly TempFolder _folder = new();
    private readonly ProcessLayout _layout = new();
    private readonly ReadyToRunImage _image = ReadyToRunImage.Read(s_path, _ => null)!;

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true, false)] // a trace of perf record: the file names the code
    [InlineData(true, true)] // of esp-record: events do
    [InlineData(false, true)] // of dotnet-trace: no mappings
    public void A_leaf_is_at_the_statement_of_the_file(bool isMapped, bool isNamed)
    {
        var method = Method("FinishPhase", out var token);
        var (start, size) = Place(method);
        var map = new ManagedCodeMap(lines: new CodePointsPool());
        if (isNamed)
            Name(map, token, start, size);
        if (isMapped)
            Map();
        var resolver = new SymbolResolver(1, map, _layout, Files(out var files));
        var points = _image.Points(method)!;

        var lines = new HashSet<int>();
        for (var offset = 0UL; offset < size; offset += 3)
        {
            var symbol = resolver.Symbols[resolver.Resolve(start + offset, 10, false, SymbolResolver.NoCallee, out _)];
            Assert.Equal("System.Threading.Barrier.FinishPhase", symbol.Name);
            Assert.Equal(Math.Min(points.StatementOf(points.At(offset), 0)!.Value, LastOffset) + 1, symbol.Line!.Line);
            lines.Add(symbol.Line.Line);
        }

        Assert.True(lines.Count > 5, string.Join(", ", lines));
        Assert.Empty(files.Problems);
    }

    /// <summary>A caller is at the call of its callee, as in jitted code.</summary>
    [Fact]
    public void A_caller_is_at_its_call()
    {
        var (caller, callee) = (Method("FinishPhase", out _), Method("SetResetEvents", out _));
        Map();
        var resolver = new SymbolResolver(1, new ManagedCodeMap(lines: new CodePointsPool()), _layout, Files(out _));
        var (start, size) = Place(caller);
        var leaf = resolver.Resolve(Place(callee).Start, 10, false, SymbolResolver.NoCallee, out _);

        var lines = Enumerable
            .Range(0, (int)size)
            .Select(offset => resolver.Symbols[resolver.Resolve(start + (ulong)offset, 10, false, leaf, out _)].Line?.Line)
            .Distinct()
            .ToList();

        // Where the statement decides between the calls, the frame has a line.
        Assert.Contains(null, lines);
        var calls = _image
            .Metadata.Calls(_image.Name(caller)!.Token)!
            .Sites.Where(site => site.Target.CanReach(_image.Metadata.Method(_image.Name(callee)!.Token)!))
            .Select(site => (int?)site.Offset + 1)
            .ToList();
        Assert.True(calls.Count > 1 && lines.Count > 2, $"{calls.Count} calls, {lines.Count} lines");
        Assert.All(lines.OfType<int>(), line => Assert.Contains(line, calls));
    }

    [Fact]
    public void Without_a_wish_for_lines_none_are_read()
    {
        Map();
        var (start, _) = Place(Method("FinishPhase", out _));
        var resolver = new SymbolResolver(1, new ManagedCodeMap(), _layout, Files(out _));

        Assert.Null(resolver.Symbols[resolver.Resolve(start, 10, false, SymbolResolver.NoCallee, out _)].Line);
    }

    /// <summary>A trace without mappings names code by module and token: another build of the method has another size.</summary>
    [Fact]
    public void Code_of_another_size_has_no_line()
    {
        var (start, size) = Place(Method("FinishPhase", out var token));
        var map = new ManagedCodeMap(lines: new CodePointsPool());
        Name(map, token, start, size + 1);
        var resolver = new SymbolResolver(1, map, _layout, Files(out _));

        Assert.Null(resolver.Symbols[resolver.Resolve(start, 10, false, SymbolResolver.NoCallee, out _)].Line);
    }

    private const int LastOffset = 2000;

    private static void Name(ManagedCodeMap map, int token, ulong start, uint size)
    {
        var hub = EventHub.Of(map);
        hub.Publish(new ModuleLoaded(new EventAt(1, 1, 1), 7, s_path));
        hub.Publish(
            new MethodCode(
                new EventAt(1, 1, 1),
                5,
                7,
                start,
                size,
                CodeTier.ReadyToRun,
                false,
                "System.Threading.Barrier",
                "FinishPhase",
                ""
            )
            {
                Token = token,
            }
        );
    }

    private int Method(string name, out int token)
    {
        var method = Enumerable.Range(0, _image.Count).First(number => _image.Name(number)?.Name == name);
        token = _image.Name(method)!.Token;
        return method;
    }

    /// <summary>Address of a method in the process.</summary>
    private (ulong Start, uint Size) Place(int method)
    {
        for (var offset = 0UL; ; offset++)
        {
            if (_image.TryFind(offset, out var found, out var start, out var size) && found == method)
                return (Base + start, size);
        }
    }

    private void Map()
    {
        using var headers = new PEReader(File.OpenRead(s_path));
        var text = headers.PEHeaders.SectionHeaders[0];
        EventHub
            .Of(_layout)
            .Publish(
                new FileMapping(
                    new EventAt(1, 1, 1),
                    Base,
                    (ulong)(text.PointerToRawData + text.SizeOfRawData + 4095) / 4096 * 4096,
                    0,
                    s_path,
                    ""
                )
            );
    }

    private SymbolFiles Files(out SymbolFiles files)
    {
        using var file = new PEReader(File.OpenRead(s_path));
        var entry = file.ReadDebugDirectory().First(entry => entry.IsPortableCodeView);
        var view = file.ReadCodeViewDebugDirectoryData(entry);
        var tables = new MetadataBuilder();
        var document = tables.AddDocument(tables.GetOrAddDocumentName("/src/Threading.cs"), default, default, default);
        var points = tables.GetOrAddBlob(
            HandMadeAssembly.SequencePoints([.. Enumerable.Range(0, LastOffset + 1).Select(offset => (offset, offset + 1))])
        );
        var reader = _image.Metadata.Reader;
        for (var row = 0; row < reader.MethodDefinitions.Count; row++)
            tables.AddMethodDebugInformation(document, points);
        var rows = ImmutableArray.CreateRange(
            Enumerable.Range(0, MetadataTokens.TableCount).Select(table => table < 0x30 ? reader.GetTableRowCount((TableIndex)table) : 0)
        );
        var pdb = new BlobBuilder();
        new PortablePdbBuilder(tables, rows, default, _ => new BlobContentId(view.Guid, entry.Stamp)).Serialize(pdb);
        File.WriteAllBytes(Path.Combine(_folder.Path, Path.GetFileName(view.Path)), pdb.ToArray());
        return files = new SymbolFiles(Environment.MachineName, DateTime.UtcNow.AddDays(1), TimeSpan.Zero, new PdbFiles([_folder.Path]));
    }
}
