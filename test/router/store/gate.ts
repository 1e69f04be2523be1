/** A gate at which a store's thread waits, in memory that the thread shares with the test. */
import type { Gate } from './registry.ts';

export function closedGate() {
  const memory = () => new Int32Array(new SharedArrayBuffer(4));
  const gate: Gate = { started: memory(), opened: memory() };
  return {
    gate,
    started: async () => await Atomics.waitAsync(gate.started, 0, 0).value,
    open: () => {
      Atomics.store(gate.opened, 0, 1);
      Atomics.notify(gate.opened, 0);
    },
  };
}
