// Loaded into a program that is measured: collects its garbage when it is told to, so that what is left is what it holds.
process.on('SIGUSR2', () => globalThis.gc());
