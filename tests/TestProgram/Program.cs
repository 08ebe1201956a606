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
                var truth = clock.Measure(identity, () =>
                {
                    kept = new byte[1_000_000];
                    return kept.Length;
                });
                csv?.Write(clock.Runs, count, identity, truth);
            }

            return clock.MarkerWaits == count && kept is not null ? 0 : 1;
        }

    case "throw": // throw COUNT: COUNT exceptions, caught
        for (var thrown = 0; thrown < int.Parse(args[1]); thrown++)
        {
            try
            {
                throw new FormatException();
            }
            catch (FormatException)
            {
            }
        }

        return 0;

    case "plain": // marks nothing
        GC.Collect();
        return 0;

    case "exit": // exit CODE
        return int.Parse(args[1]);

    case "crash":
        throw new InvalidOperationException("crashed on purpose");

    case "sleep": // until it is ended
        Console.WriteLine("sleeping");
        Thread.Sleep(Timeout.Infinite);
        return 0;

    case "spawn": // spawn ARGS…: starts itself with ARGS and returns the child's exit code
        {
            using var child = Process.Start(Environment.ProcessPath!, args.Skip(1));
            child.WaitForExit();
            return child.ExitCode;
        }

    default:
        Console.Error.WriteLine($"unknown: {args[0]}");
        return 2;
}
