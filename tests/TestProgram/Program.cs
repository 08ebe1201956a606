using System.Diagnostics;
using EtwSerializerProfiler.Marks;

// A program of known behaviour for the recorder's tests. The first argument says what to do.
switch (args[0])
{
    case "runs": // runs COUNT [CSV]: COUNT marked runs that allocate 1 MB each
        {
            using var clock = new RunClock();
            using var csv = args.Length > 2 ? new RunCsv(args[2]) : null;
            var count = int.Parse(args[1]);
            byte[]? kept = null;
            for (var run = 1; run <= count; run++)
            {
                var identity = new RunIdentity("TestProgram", "TestProgram", "1.0", RunOperation.Serialize, RunKind.Measured, 1, 0, run, 1);
                var measurement = clock.Measure(
                    identity,
                    () =>
                    {
                        kept = new byte[1_000_000];
                        return kept.Length;
                    }
                );
                csv?.Write(clock.Runs, count, identity, measurement);
            }

            return clock.MarkerWaits == count && kept is not null ? 0 : 1;
        }

    case "until": // until FILE CSV [PLANNED]: a marked run every few ms until FILE exists; writes to CSV that PLANNED are planned
        {
            using var clock = new RunClock();
            using var csv = new RunCsv(args[2]);
            Console.WriteLine("running");
            for (var run = 1; !File.Exists(args[1]); run++)
            {
                var identity = new RunIdentity("TestProgram", "TestProgram", "1.0", RunOperation.Serialize, RunKind.Measured, 1, 0, run, 1);
                csv.Write(
                    clock.Runs + 1,
                    args.Length > 3 ? int.Parse(args[3]) : 0,
                    identity,
                    clock.Measure(
                        identity,
                        () =>
                        {
                            ThreadClock.Spin(1_000_000);
                            return 1;
                        }
                    )
                );
                Thread.Sleep(2);
            }

            return 0;
        }

    case "naps": // naps MS: marked runs that sleep for MS each, until it is ended
        {
            using var clock = new RunClock();
            Console.WriteLine("napping");
            for (var run = 1; ; run++)
            {
                clock.Measure(
                    new RunIdentity("Naps", "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 1, 0, run, 1),
                    () =>
                    {
                        Thread.Sleep(int.Parse(args[1]));
                        return 0;
                    }
                );
            }
        }

    case "throw": // throw COUNT: COUNT exceptions, caught
        for (var thrown = 0; thrown < int.Parse(args[1]); thrown++)
        {
            try
            {
                throw new FormatException();
            }
            catch (FormatException) { }
        }

        return 0;

    // throwing COUNT [CSV|-] [wait]: COUNT marked runs with a FormatException each, between two lines of input where it waits; prints start
    // and end (Thrower)
    case "throwing":
        if (args.Length > 3)
        {
            Console.WriteLine("waiting");
            Console.ReadLine();
        }

        Thrower.Run(int.Parse(args[1]), args.Length > 2 && args[2] != "-" ? args[2] : null);
        if (args.Length > 3)
            Console.ReadLine();
        return 0;

    case "storm": // storm COUNT: COUNT exceptions that trigger nothing; prints the time per exception, in ns
        Console.WriteLine(Thrower.Storm(int.Parse(args[1])));
        return 0;

    case "crowd": // crowd THREADS ROUNDS: THREADS threads that compute and sleep ROUNDS times; prints how long all took, in ns (Storms)
        Console.WriteLine(Storms.Crowd(int.Parse(args[1]), int.Parse(args[2])));
        return 0;

    case "starts": // starts COUNT: COUNT threads, one after the other, that end at once; prints how long all took, in ns (Storms)
        Console.WriteLine(Storms.Starts(int.Parse(args[1])));
        return 0;

    case "locks": // locks ROUNDS: four threads take one lock ROUNDS times each; prints how long all took, in ns (Storms)
        Console.WriteLine(Storms.Locks(int.Parse(args[1])));
        return 0;

    case "methods": // methods COUNT: the JIT compiles COUNT methods; prints how long all took, in ns (Storms)
        Console.WriteLine(Storms.Methods(int.Parse(args[1])));
        return 0;

    case "types": // types COUNT: the runtime loads COUNT types; prints how long all took, in ns (Storms)
        Console.WriteLine(Storms.Types(int.Parse(args[1])));
        return 0;

    case "stall": // takes 128 MB, collects, and sleeps until it is ended
        {
            var memory = new byte[128_000_000];
            Array.Fill(memory, (byte)1);
            GC.Collect();
            Console.WriteLine("stalled");
            Thread.Sleep(Timeout.Infinite);
            GC.KeepAlive(memory);
            return 0;
        }

    case "plain": // marks nothing
        GC.Collect();
        return 0;

    case "exit": // exit CODE
        return int.Parse(args[1]);

    case "crash":
        throw new InvalidOperationException("crashed on purpose");

    case "sleep": // sleep [THREADS]: until it is ended, with so many further threads
        for (var number = 0; args.Length > 1 && number < int.Parse(args[1]); number++)
            new Thread(() => Thread.Sleep(Timeout.Infinite), maxStackSize: 256 << 10).Start();
        Console.WriteLine("sleeping");
        Thread.Sleep(Timeout.Infinite);
        return 0;

    case "spin": // spin MS COUNT: COUNT threads "spinner" that each take MS of CPU time in user mode
        {
            var nanoseconds = int.Parse(args[1]) * 1_000_000L;
            var threads = Enumerable
                .Range(0, int.Parse(args[2]))
                .Select(_ => new Thread(() => ThreadClock.Spin(nanoseconds)) { Name = "spinner" })
                .ToList();
            Console.WriteLine("spinning");
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            return 0;
        }

    // clock MS COUNT: COUNT threads that only read the clock for MS; prints how often, and the gaps between two readings (ClockReaders)
    case "clock":
        ClockReaders.Run(int.Parse(args[1]), int.Parse(args[2]));
        return 0;

    // mixture MS [BURSTUS SLEEPUS]: MS of CPU time in five parts of known shares, in bursts with sleeps or without; prints what each took.
    case "mixture":
        {
            using var mixture = new Mixture();
            mixture.Take(50_000_000, 1_000_000, 0);
            using var measured = new Mixture();
            measured.Take(
                long.Parse(args[1]) * 1_000_000,
                args.Length > 2 ? long.Parse(args[2]) * 1000 : 1_000_000,
                args.Length > 3 ? long.Parse(args[3]) * 1000 : 0
            );
            foreach (
                var (name, nanoseconds) in measured.Taken.Zip(
                    mixture.Taken,
                    (more, warmUp) => (more.Name, more.Nanoseconds + warmUp.Nanoseconds)
                )
            )
                Console.WriteLine($"{name} {nanoseconds}");
            return 0;
        }

    // shares MS: one marked run of MS of CPU time, 70 % in one method and 30 % in another, while a third one sleeps; prints what each took.
    case "shares":
        {
            using var clock = new RunClock();
            var identity = new RunIdentity("Shares", "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1);
            clock.Measure(
                identity,
                () =>
                {
                    Shares.Take(int.Parse(args[1]) * 1_000_000L);
                    return 0;
                }
            );
            Console.WriteLine(FormattableString.Invariant($"more {Shares.More} less {Shares.Less}"));
            return 0;
        }

    // inlining MS: one marked run of four parts of MS of CPU time each, three of which spend theirs in methods that get inlined; prints
    // what each took.
    case "inlining":
        Inlining.Run(int.Parse(args[1]) * 1_000_000L);
        return 0;

    case "frames": // one marked run of shapes of code that are hard to expand to inlined frames (InlinedShapes)
        InlinedShapes.Run();
        return 0;

    case "mapper": // mapper MS: sets properties by reflection for that time, without marks (Mapper)
        Mapper.Run(int.Parse(args[1]));
        return 0;

    case "lines": // one marked run of lines of known cost (KnownLineCosts)
        KnownLineCosts.Run();
        return 0;

    // json ROUNDS: one marked run in which a parser allocates strings until GCs begin, and asks for one at its end (JsonParser)
    case "json":
        JsonParser.Run(int.Parse(args[1]));
        return 0;

    case "parse": // parse ROUNDS: the same parser without marks; prints how long it took, in ns
        Console.WriteLine(FormattableString.Invariant($"{JsonParser.Time(int.Parse(args[1])):0}"));
        return 0;

    case "steps": // steps WORK: the same work until the input ends; prints when each step started and how long it took, in ns (Steps)
        return Steps.Run(args[1]);

    // callers MS: one marked run of MS of CPU time, a quarter each in a method that allocates, one that fills memory, one that stores
    // references, and one that spins; prints what they took.
    case "callers":
        {
            using var clock = new RunClock();
            clock.Measure(
                new RunIdentity("Callers", "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
                () =>
                {
                    LostCallers.Take(int.Parse(args[1]) * 1_000_000L);
                    return 0;
                }
            );
            Console.WriteLine(
                FormattableString.Invariant(
                    $"allocated {LostCallers.Allocated} filled {LostCallers.Filled} stored {LostCallers.Stored} converted {LostCallers.Converted} all {LostCallers.All}"
                )
            );
            return 0;
        }

    // leaves MS [LIBRARY]: MS of CPU time in leaves: managed ones, the kernel, those of a native library; without marks (Leaves)
    case "leaves":
        Leaves.Take(int.Parse(args[1]) * 1_000_000L, args.Length > 2 ? args[2] : null);
        return 0;

    case "processor": // processor MS: marked runs that fault, sleep, fight for a lock, collect; prints their times (KnownProcessorTimes)
        KnownProcessorTimes.Run(int.Parse(args[1]));
        return 0;

    case "events": // marked runs of known exceptions, contentions, allocations, GCs, waits and compilations (KnownEvents)
        KnownEvents.Run();
        return 0;

    // Marked runs with exceptions as control flow, a lock around all work and code made for XmlSerializer, and runs without (KnownIssues)
    case "known-issues":
        KnownIssues.Run();
        return 0;

    case "rows": // marked runs with a search that is quadratic, large objects and reflection, and runs without (RowKnownIssues)
        RowKnownIssues.Run();
        return 0;

    case "dump": // dump [COUNT]: a process of known objects, locks and exceptions that waits to be dumped (KnownProcess)
        KnownProcess.Run(args.Length > 1 ? int.Parse(args[1]) : KnownProcess.Items);
        return 0;

    case "threads": // threads COUNT: COUNT threads with different names that end at once
        {
            var threads = Enumerable
                .Range(0, int.Parse(args[1]))
                .Select(number => new Thread(() => { }) { Name = $"short-{number:D3}" })
                .ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            return 0;
        }

    case "waits": // waits COUNT MS: a thread "waiter" that sleeps COUNT times for MS; prints start and end by Stopwatch, a line each
        {
            var milliseconds = int.Parse(args[2]);
            var waits = new (long Start, long Stop)[int.Parse(args[1])];
            var waiter = new Thread(() =>
            {
                for (var wait = 0; wait < waits.Length; wait++)
                {
                    var start = Stopwatch.GetTimestamp();
                    Thread.Sleep(milliseconds);
                    waits[wait] = (start, Stopwatch.GetTimestamp());
                }
            })
            {
                Name = "waiter",
            };
            waiter.Start();
            waiter.Join();
            Array.ForEach(waits, wait => Console.WriteLine(FormattableString.Invariant($"{wait.Start} {wait.Stop}")));
            return 0;
        }

    case "wakes": // wakes COUNT: a thread "waiter" waits COUNT times until the main thread, 2 ms of CPU time later, wakes it
        {
            var count = int.Parse(args[1]);
            using var request = new AutoResetEvent(false);
            using var ready = new AutoResetEvent(false);
            var waiter = new Thread(() =>
            {
                for (var wait = 0; wait < count; wait++)
                {
                    ready.Set();
                    request.WaitOne();
                }
            })
            {
                Name = "waiter",
            };
            waiter.Start();
            for (var wake = 0; wake < count; wake++)
            {
                ready.WaitOne();
                ThreadClock.Spin(2_000_000);
                request.Set();
            }

            waiter.Join();
            return 0;
        }

    case "switches": // switches COUNT: two threads hand each other the turn COUNT times, waiting for it; prints how long a turn took, in ns
        {
            var count = int.Parse(args[1]);
            using var mine = new AutoResetEvent(false);
            using var yours = new AutoResetEvent(false);
            var other = new Thread(() =>
            {
                for (var turn = 0; turn < count; turn++)
                {
                    yours.WaitOne();
                    mine.Set();
                }
            });
            other.Start();
            var start = Stopwatch.GetTimestamp();
            for (var turn = 0; turn < count; turn++)
            {
                yours.Set();
                mine.WaitOne();
            }

            Console.WriteLine(FormattableString.Invariant($"{Stopwatch.GetElapsedTime(start).TotalNanoseconds / (2 * count):0}"));
            other.Join();
            return 0;
        }

    case "spawn": // spawn ARGS…: starts itself with ARGS and returns the child's exit code
        {
            using var child = Process.Start(Environment.ProcessPath!, args.Skip(1));
            child.WaitForExit();
            return child.ExitCode;
        }

    // interruptions MS CALLS CPUUS: CALLS of each of five system calls that wait for MS, after CPUUS of CPU time; prints how many of each
    // were interrupted (Interruptions)
    case "interruptions":
        foreach (var (call, interrupted) in Interruptions.Count(int.Parse(args[1]), int.Parse(args[2]), long.Parse(args[3]) * 1000))
            Console.WriteLine($"{call} {interrupted}");
        return 0;

    case "nulls": // nulls COUNT: COUNT NullReferenceExceptions, caught; each is a SIGSEGV
        {
            var caught = 0;
            for (string? text = null; caught < int.Parse(args[1]);)
            {
                try
                {
                    Console.WriteLine(text!.Length);
                }
                catch (NullReferenceException)
                {
                    caught++;
                }
            }

            return 0;
        }

    // collect THREADS ROUNDS: THREADS threads that allocate 1 MB in ROUNDS rounds, each with a GC, and start a thread that ends at once.
    case "collect":
        {
            var rounds = int.Parse(args[2]);
            var threads = Enumerable
                .Range(0, int.Parse(args[1]))
                .Select(_ => new Thread(() =>
                {
                    for (var round = 0; round < rounds; round++)
                    {
                        var kept = Enumerable.Range(0, 1000).Select(_ => new byte[1000]).ToList();
                        GC.Collect(0);
                        var brief = new Thread(() => kept.Clear());
                        brief.Start();
                        brief.Join();
                    }
                }))
                .ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            return 0;
        }

    case "async": // async ROUNDS: chains of async methods that compute after an await; prints the CPU time of each, in ms (AsyncChains)
        await AsyncChains.Run(int.Parse(args[1]));
        return 0;

    case "async-storm": // async-storm COUNT: COUNT chains of three async methods; prints how long one took, in ns (AsyncChains)
        Console.WriteLine(await AsyncChains.Storm(int.Parse(args[1])));
        return 0;

    case "pipeline": // an async pipeline that computes after an await and blocks for a task; prints its number of items (Pipeline)
        await Pipeline.RunAsync();
        return 0;

    case "fight": // threads that fight for a lock; prints how long they waited for it (LockFight)
        LockFight.Run();
        return 0;

    // Threads that wait for a lock, work items that wait for tasks and that sleep; prints how long each kind waited (Blocked)
    case "blocked":
        Blocked.Run();
        return 0;

    // finalizers BATCHES OBJECTS: BATCHES of so many OBJECTS with finalizers, and a GC for each; prints how many there were (Finalizers)
    case "finalizers":
        Finalizers.Run(int.Parse(args[1]), int.Parse(args[2]));
        return 0;

    case "spans": // start/stop pairs of an event source and activities; prints when each started and stopped (SpanTruth)
        SpanTruth.Run().GetAwaiter().GetResult();
        return 0;

    case "become": // become COMMAND…: another thread than the first one becomes COMMAND by exec, while others run
        {
            new Thread(() => ThreadClock.Spin(long.MaxValue / 2)) { IsBackground = true }.Start();
            var code = 0;
            var thread = new Thread(() => code = SystemCalls.Become(args[1..]));
            thread.Start();
            thread.Join();
            return code;
        }

    case "refused": // refused COMMAND…: becomes COMMAND, to which the system refuses perf events
        SystemCalls.RefusePerfEvents();
        return SystemCalls.Become(args[1..]);

    default:
        Console.Error.WriteLine($"unknown: {args[0]}");
        return 2;
}
