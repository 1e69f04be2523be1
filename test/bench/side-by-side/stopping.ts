/** Ctrl-C and SIGTERM end what the bench has started, in order, before the bench ends. */
export async function stoppedBySignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());
  try {
    await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.stderr.write('stopped\n');
    process.exitCode = 130;
  }
}
