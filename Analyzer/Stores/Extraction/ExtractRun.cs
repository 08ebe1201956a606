using System.Diagnostics;
using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Extraction.Workers;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>
/// Extracts traces with several processes. Each worker writes its traces into the store in one transaction each; this process only
/// distributes the work. A worker that ends is replaced, and its trace is tried once more before it is marked as failed.
/// </summary>
public sealed class ExtractRun
{
    /// <summary>Number of workers that may end on a trace before it is given up.</summary>
    private const int MaxDeaths = 2;

    /// <summary>Number of workers in a row that may end before they are ready.</summary>
    private const int MaxStarts = 5;

    /// <summary>Approximate share of the work that goes into hashing a trace's content.</summary>
    private const double HashShare = 0.05;

    private readonly ExtractRequest _request;
    private readonly WorkerProgram _program;
    private readonly Action<ExtractProgress>? _progress;
    private readonly WorkerSetup _setup;

    /// <summary>Guards everything below, including the plan.</summary>
    private readonly object _gate = new();
    private readonly HashSet<WorkerProcess> _workers = [];
    private readonly List<(string Path, string Error)> _failed = [];
    private ExtractPlan _plan = null!;
    private ITraceStore _store = null!;
    private Action<int>? _started;
    private Exception? _fatal;
    private bool _interrupted;
    private long _rows,
        _bytes;
    private int _new,
        _changed;

    private ExtractRun(ExtractRequest request, WorkerProgram program, Action<ExtractProgress>? progress)
    {
        (_request, _program, _progress) = (request, program, progress);
        var place = request.Store.Kind == StoreKind.Sqlite ? Path.GetFullPath(request.Store.Place) : request.Store.Place;
        _setup = new WorkerSetup((request.Store with { Place = place, Selection = "" }).ToString(), request.Options);
    }

    /// <summary>Extracts.</summary>
    /// <param name="request">The request.</param>
    /// <param name="program">How to start workers.</param>
    /// <param name="progress">Receives progress on any thread; null for none.</param>
    /// <param name="interrupt">Ends the extraction early: finished traces stay in the store, the rest is left for the next call.</param>
    /// <exception cref="Traces.TraceFormatException">A path does not exist.</exception>
    /// <exception cref="StoreException">The store cannot be used.</exception>
    public static ExtractSummary Run(
        ExtractRequest request,
        WorkerProgram program,
        Action<ExtractProgress>? progress,
        CancellationToken interrupt
    )
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(program);
        return new ExtractRun(request, program, progress).Run(interrupt);
    }

    /// <summary>Also reports the process id of each ready worker, for tests that kill them.</summary>
    internal static ExtractSummary Run(ExtractRequest request, WorkerProgram program, Action<int> started) =>
        new ExtractRun(request, program, null) { _started = started }.Run(CancellationToken.None);

    private ExtractSummary Run(CancellationToken interrupt)
    {
        var since = Stopwatch.StartNew();
        var found = TraceDiscovery.Find(_request.Paths, _request.Recursive);
        var jobs = Math.Clamp(_request.Jobs ?? WorkerCount.Here(), 1, Math.Max(found.Units.Count, 1));
        using (_store = TraceStores.Open(StoreAddress.Parse(_setup.Store)))
        {
            _store.Prepare();
            _plan = new ExtractPlan(
                [.. found.Units.Select((unit, index) => new UnitState(index + 1, unit, SizeOf(unit)))],
                new StoredContents(_store.Traces()),
                _request.Options,
                _request.RetryFailed
            );
            using (interrupt.Register(Interrupt))
            {
                var slots = Enumerable
                    .Range(0, found.Units.Count == 0 ? 0 : jobs)
                    .Select(index => new Thread(Work) { Name = FormattableString.Invariant($"worker {index}") })
                    .ToList();
                slots.ForEach(slot => slot.Start());
                slots.ForEach(slot => slot.Join());
            }
        }

        if (_fatal is not null)
            ExceptionDispatchInfo.Throw(_fatal);
        return Summary(found, jobs, since.Elapsed);
    }

    /// <summary>Size of a trace's files; 0 when they cannot be listed, because reading them will report the error.</summary>
    private static long SizeOf(TraceUnit unit)
    {
        try
        {
            return UnitFiles.Of(unit).Sum(file => file.Bytes);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    /// <summary>Runs one worker after the other until there is nothing left to do.</summary>
    private void Work()
    {
        WorkerProcess? worker = null;
        try
        {
            while (Take() is { } unit)
            {
                worker ??= StartWorker();
                if (worker is null)
                    return;
                try
                {
                    Note(
                        unit,
                        worker.Do(
                            new WorkerTask(unit.Number, unit.Unit, unit.Step == UnitStep.Extracting ? unit.Content : null),
                            done => Show(unit, done)
                        )
                    );
                }
                catch (WorkerEndedException exception)
                {
                    End(worker);
                    worker = null;
                    NoteDeath(unit, exception.Message);
                }
            }
        }
        catch (Exception exception)
        {
            // An exception on this thread would be lost.
            Stop(exception);
        }
        finally
        {
            if (worker is not null)
                End(worker);
        }
    }

    /// <summary>Returns the next task; waits while it depends on others. Null when there is none left.</summary>
    private UnitState? Take()
    {
        lock (_gate)
        {
            while (true)
            {
                if (_interrupted || _fatal is not null || _plan.IsDone)
                    return null;
                if (_plan.Next() is { } unit)
                {
                    unit.Step = unit.Step == UnitStep.Ready ? UnitStep.Extracting : UnitStep.Hashing;
                    unit.Done = 0;
                    return unit;
                }

                Monitor.Wait(_gate);
            }
        }
    }

    /// <summary>Returns a ready worker; null when the extraction was interrupted.</summary>
    private WorkerProcess? StartWorker()
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var worker = WorkerProcess.Start(_program, _setup);
                lock (_gate)
                {
                    if (!_interrupted && _fatal is null)
                    {
                        _workers.Add(worker);
                        _started?.Invoke(worker.Id);
                        return worker;
                    }
                }

                worker.Dispose();
                return null;
            }
            catch (WorkerEndedException exception) when (attempt < MaxStarts)
            {
                _ = exception; // killed before it was ready: starts another one
            }
            catch (WorkerEndedException exception)
            {
                throw new StoreException(
                    new Problem(
                        $"worker processes end immediately ({exception.Message})",
                        _program.File,
                        "check the free memory; ESP_STACK=1 and --jobs 1 show more details"
                    ),
                    exception
                );
            }
        }
    }

    private void End(WorkerProcess worker)
    {
        lock (_gate)
            _workers.Remove(worker);
        worker.Dispose();
    }

    private void Note(UnitState unit, WorkerReply reply)
    {
        lock (_gate)
        {
            if (reply.Kind == WorkerReplyKind.Hashed)
            {
                (unit.Step, unit.Content, unit.HashError) = (UnitStep.Hashed, reply.Content, reply.Error);
                Decide();
            }
            else
            {
                Stored(unit, unit.Content!.Bytes, reply.Rows, reply.Error);
            }

            Monitor.PulseAll(_gate);
        }

        ShowAll();
    }

    private void NoteDeath(UnitState unit, string reason)
    {
        lock (_gate)
        {
            if (_interrupted || _fatal is not null)
                return;
            if (++unit.Deaths < MaxDeaths)
                unit.Step = unit.Step == UnitStep.Extracting ? UnitStep.Ready : UnitStep.Waiting;
            else
                Fail(unit, $"its worker process ended twice ({reason})");
            Decide();
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Decides what to do next; completes unreadable traces.</summary>
    private void Decide()
    {
        _plan.Decide();
        while (_plan.Units.FirstOrDefault(unit => unit is { Step: UnitStep.Ready, Content: null }) is { } unreadable)
        {
            Fail(unreadable, unreadable.HashError);
            _plan.Decide();
        }
    }

    /// <summary>Marks a trace as failed, in the store and here.</summary>
    private void Fail(UnitState unit, string error)
    {
        var rows = TraceExtractor.Failed(unit.Unit, unit.Content?.Digest ?? "", unit.Content?.Bytes ?? unit.Bytes, _request.Options, error);
        _store.Replace(rows);
        Stored(unit, 0, rows.Count, error);
    }

    private void Stored(UnitState unit, long bytes, int rows, string error)
    {
        unit.Step = UnitStep.Stored;
        _rows += rows;
        _bytes += bytes;
        if (error.Length > 0)
            _failed.Add((unit.Unit.Name, error));
        else if (unit.Before is null)
            _new++;
        else
            _changed++;
    }

    private void Interrupt() => Stop(null);

    /// <summary>Begins nothing more; work in progress ends without storing its trace.</summary>
    private void Stop(Exception? fatal)
    {
        List<WorkerProcess> workers;
        lock (_gate)
        {
            if (fatal is null)
                _interrupted = true;
            else
                _fatal ??= fatal;
            workers = [.. _workers];
            Monitor.PulseAll(_gate);
        }

        workers.ForEach(worker => worker.Dispose());
    }

    private void Show(UnitState unit, double done)
    {
        lock (_gate)
            unit.Done = done;
        ShowAll();
    }

    private void ShowAll()
    {
        if (_progress is null)
            return;
        ExtractProgress progress;
        lock (_gate)
        {
            var units = _plan.Units.Where(unit => unit.Step is not (UnitStep.Known or UnitStep.Duplicate)).ToList();
            progress = new ExtractProgress(
                _plan.Units.Count(unit => unit.Step >= UnitStep.Stored),
                _plan.Units.Count,
                units.Sum(unit => (long)(unit.Bytes * Share(unit))),
                units.Sum(unit => unit.Bytes)
            );
        }

        _progress(progress);
    }

    /// <summary>Share of a trace's work that is done, from 0 to 1.</summary>
    private static double Share(UnitState unit) =>
        unit.Step switch
        {
            UnitStep.Waiting => 0,
            UnitStep.Hashing => HashShare * unit.Done,
            UnitStep.Extracting => HashShare + ((1 - HashShare) * unit.Done),
            UnitStep.Stored => 1,
            _ => HashShare,
        };

    private ExtractSummary Summary(DiscoveredTraces found, int jobs, TimeSpan elapsed)
    {
        var known = _plan.Units.Where(unit => unit.Step == UnitStep.Known).ToList();
        return new ExtractSummary
        {
            Store = _request.Store,
            Traces = found.Units.Count,
            New = _new,
            Changed = _changed,
            Known = known.Count,
            KnownFailed = known.Count(unit => unit.Before is { Status: StoredTrace.Failed }),
            Duplicates =
            [
                .. _plan.Units.Where(unit => unit.Step == UnitStep.Duplicate).Select(unit => unit.Unit.Name).Order(StringComparer.Ordinal),
            ],
            Failed = [.. _failed.OrderBy(item => item.Path, StringComparer.Ordinal)],
            NotDone = _plan.Units.Count(unit => unit.Step < UnitStep.Stored),
            IsInterrupted = _interrupted && !_plan.IsDone,
            OtherFiles = found.OtherFiles,
            OtherFolders = found.OtherFolders,
            Problems = found.Problems,
            Bytes = _bytes,
            Rows = _rows,
            Elapsed = elapsed,
            Jobs = jobs,
            StoreBytes =
                _request.Store.Kind == StoreKind.Sqlite && File.Exists(_request.Store.Place)
                    ? new FileInfo(_request.Store.Place).Length
                    : null,
        };
    }
}
