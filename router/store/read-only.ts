/** A store that is open for reading only, whichever database is behind it. */
import type { StoreReader } from './store.ts';

/** Returns a reader that refuses procedures that write, and passes all others to `call`. */
export function readOnly(call: StoreReader['call'], close: () => Promise<void>): StoreReader {
  return {
    async call(procedure, input) {
      if (procedure.access === 'read') return await call(procedure, input);
      throw new Error(`${procedure.name} writes, but the store is open for reading only`);
    },
    [Symbol.asyncDispose]: close,
  };
}
