/** Applies faults to a stream: irregular ends, and noise between good chunks. */
import type { Dialect } from '../dialect.ts';
import type { Chunks } from '../wire/chunks.ts';
import { serverError } from '../wire/errors.ts';
import type { EventStream } from '../wire/event-stream.ts';
import type { Sabotage } from './book.ts';
import type { FaultConfig } from './schema.ts';

const FATAL_FAULTS = ['death', 'reset', 'eof', 'error_event'] as const;
export type FatalFault = (typeof FATAL_FAULTS)[number];

export const ENGINE_DIED =
  'EngineCore encountered an issue. See stack trace (above) for the root cause.';

/** Returns the fault that ends the answer after this many tokens, if there is one. */
export function fatalFault(sabotage: Sabotage, tokens: number): FatalFault | undefined {
  if (!sabotage.faults) return undefined;
  return FATAL_FAULTS.find((kind) => sabotage.due(kind, tokens));
}

export interface EndParts {
  readonly out: EventStream;
  readonly die: (faults: FaultConfig) => void;
  readonly faults: FaultConfig;
  readonly dialect: Pick<Dialect, 'errorEvents'>;
}

export function endStream(kind: FatalFault, { out, die, faults, dialect }: EndParts): void {
  switch (kind) {
    case 'death':
      return die(faults);
    case 'reset':
      return out.reset();
    case 'eof':
      return out.end('');
    case 'error_event':
      return out.end(dialect.errorEvents(serverError(ENGINE_DIED)));
    default:
      kind satisfies never;
  }
}

/** Writes chunks with the noise that is due around them. */
export function writeNoisily(
  sabotage: Sabotage,
  tokens: number,
  text: string,
  to: { out: EventStream; chunks: Chunks },
): void {
  let noisy = sabotage.due('comments', tokens) ? `: ping\n\n${text}` : text;
  if (sabotage.once('bad_json', tokens)) noisy += 'data: {"id":"chatcmpl-\n\n';
  const giant = sabotage.once('giant_chunk', tokens);
  if (giant) noisy += to.chunks.delta('content', ' big'.repeat(Math.ceil(giant.bytes / 4)), '');
  if (!sabotage.once('split_utf8', tokens)) return to.out.write(noisy);
  const isAscii = Buffer.byteLength(noisy) === noisy.length;
  to.out.writeSplit(isAscii ? noisy + to.chunks.delta('content', ' ☕', '') : noisy);
}
