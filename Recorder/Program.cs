using EtwSerializerProfiler.Recorder.Commands;

return await EspRecord.RunAsync(args).ConfigureAwait(false);
