return EtwSerializerProfiler.Workload.Commands.WorkloadCommand.Run(args);
