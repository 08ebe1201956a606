// The physical truth of FrameTruth: the same code, in which nothing of the program is inlined.
FrameTruth.Run();
