using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>A damaged trace is a trace with losses, or one that failed; never an error of the tool.</summary>
public sealed class DamagedTraceTests : IDisposable
{
    private readonly TraceFolder _folder = new();

    [Theory]
    [InlineData("etl")]
    [InlineData("nettrace")]
    public void A_cut_or_changed_file_has_rows_that_say_so(string kind)
    {
        var path = kind == "etl" ? _folder.AddEtl("t.etl") : _folder.AddNetTrace("t.nettrace");
        var unit = new TraceUnit(path, kind == "etl" ? TraceFormat.Etl : TraceFormat.NetTrace);
        var whole = File.ReadAllBytes(path);
        var random = new Random(4711);
        var (extracted, failed) = (0, 0);
        for (var round = 0; round < 40; round++)
        {
            var bytes = round % 4 == 0 ? whole[..random.Next(whole.Length)] : (byte[])whole.Clone();
            for (var change = round % 4 == 0 ? 0 : 1 + (round * 3); change > 0 && bytes.Length > 0; change--)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            File.WriteAllBytes(path, bytes);

            var rows = TraceExtractor.Extract(unit, TraceContent.Read(unit), new ExtractOptions());

            Assert.NotNull(rows.Trace);
            if (rows.Trace.Status == StoredTrace.Failed)
            {
                failed++;
                Assert.Equal(1, rows.Count);
                Assert.NotEqual("", rows.Trace.Error);
                Assert.DoesNotContain("Exception", rows.Trace.Error, StringComparison.Ordinal);
            }
            else
            {
                extracted++;
                Assert.Equal("", rows.Trace.Error);
                Assert.NotEmpty(rows.Of(EnvironmentTable.Table));
            }
        }

        Assert.True(extracted > 0 && failed > 0, $"{extracted} extracted, {failed} failed");
    }

    [Fact]
    public void Damage_is_a_loss_with_its_place()
    {
        var folder = _folder.AddRecording("r1", 1);
        var path = Path.Combine(folder, "clr.nettrace");
        var bytes = File.ReadAllBytes(path);
        File.WriteAllBytes(path, bytes[..(bytes.Length / 2)]);
        var unit = new TraceUnit(folder, TraceFormat.Recording);

        var rows = TraceExtractor.Extract(unit, TraceContent.Read(unit), new ExtractOptions());

        Assert.Equal(StoredTrace.Extracted, rows.Trace.Status);
        var loss = Assert.Single(rows.Of(LossTable.Table), row => Equals(row[LossTable.Table.IndexOf("kind")], "damage"));
        Assert.Equal(path, loss[LossTable.Table.IndexOf("file")]);
        Assert.Equal((long)bytes.Length / 2, loss[LossTable.Table.IndexOf("file_bytes")]);
        Assert.InRange((long)loss[LossTable.Table.IndexOf("file_offset")]!, 1, bytes.Length / 2);
    }

    [Fact]
    public void A_recording_without_one_of_its_files_says_so()
    {
        var folder = _folder.AddRecording("r1", 1);
        File.Delete(Path.Combine(folder, "code.nettrace"));
        var unit = new TraceUnit(folder, TraceFormat.Recording);

        var rows = TraceExtractor.Extract(unit, TraceContent.Read(unit), new ExtractOptions());

        Assert.Equal(StoredTrace.Extracted, rows.Trace.Status);
        Assert.Contains(
            rows.Of(LossTable.Table),
            row =>
                Equals(row[LossTable.Table.IndexOf("kind")], "problem")
                && ((string)row[LossTable.Table.IndexOf("text")]!).Contains("code.nettrace", StringComparison.Ordinal)
        );
    }

    public void Dispose() => _folder.Dispose();
}
