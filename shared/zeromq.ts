/**
 * Loads zeromq, which reads the events of a KV cache. It is native code: it is loaded only when it is
 * needed, and no release contains it.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export type Zeromq = typeof import('zeromq');

export class ZeromqMissing extends Error {
  override name = 'ZeromqMissing';
}

/** Throws ZeromqMissing when zeromq is not installed where Node looks for it. */
export function loadZeromq(): Zeromq {
  try {
    // An executable with the code in it can load a module by `require` only.
    return createRequire(import.meta.url)('zeromq') as Zeromq;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) {
      throw error;
    }
    const file = fileURLToPath(import.meta.url);
    throw new ZeromqMissing(
      `KV events need the npm package zeromq, which was not found from ${file}: run ` +
        '`npm install zeromq` in its folder, or `npm install --global zeromq` if Penstock is ' +
        'installed globally',
      { cause: error },
    );
  }
}
