/**
 * Reports the changes of the prefix cache in vLLM's format. The events of a step are published as
 * one batch,
 *
 *   [ts, [event, …], dp_rank]    in MessagePack
 *
 * where an event is a map with `type` or, as in older versions, an array that begins with the type.
 * Consecutive blocks of one request are one BlockStored. The extra keys of a first block contain
 * the salt, so the published events reveal it.
 */
import { encode } from '@msgpack/msgpack';
import type { Clock } from '../../../shared/clock.ts';
import { BLOCK_TOKENS } from '../kv/block-hash.ts';
import type { KvListener, StoredBlock } from '../kv/listener.ts';

export const KV_EVENT_FORMS = ['map', 'array'] as const;
export type KvEventForm = (typeof KV_EVENT_FORMS)[number];

type Event =
  | {
      readonly type: 'BlockStored';
      readonly block_hashes: number[];
      readonly parent_block_hash: number | null;
      readonly token_ids: number[];
      readonly block_size: number;
      readonly lora_id: null;
      readonly medium: 'GPU';
      readonly lora_name: null;
      readonly extra_keys: (readonly string[] | null)[];
      readonly group_idx: 0;
      readonly kv_cache_spec_kind: 'full_attention';
    }
  | {
      readonly type: 'BlockRemoved';
      readonly block_hashes: number[];
      readonly medium: 'GPU';
      readonly group_idx: 0;
    }
  | { readonly type: 'AllBlocksCleared' };

export class KvEvents implements KvListener {
  readonly #clock: Clock;
  readonly #form: KvEventForm;
  readonly #publish: (batch: Uint8Array) => void;
  #events: Event[] = [];

  constructor(clock: Clock, form: KvEventForm, publish: (batch: Uint8Array) => void) {
    this.#clock = clock;
    this.#form = form;
    this.#publish = publish;
  }

  stored({ hash, parent, tokens, salt }: StoredBlock): void {
    const keys = salt === null ? null : [salt];
    const last = this.#events.at(-1);
    if (last?.type === 'BlockStored' && parent !== null && last.block_hashes.at(-1) === parent) {
      last.block_hashes.push(hash);
      last.token_ids.push(...tokens);
      last.extra_keys.push(keys);
      return;
    }
    this.#events.push({
      type: 'BlockStored',
      block_hashes: [hash],
      parent_block_hash: parent,
      token_ids: [...tokens],
      block_size: BLOCK_TOKENS,
      lora_id: null,
      medium: 'GPU',
      lora_name: null,
      extra_keys: [keys],
      group_idx: 0,
      kv_cache_spec_kind: 'full_attention',
    });
  }

  removed(hash: number): void {
    const last = this.#events.at(-1);
    if (last?.type === 'BlockRemoved') last.block_hashes.push(hash);
    else {
      const where = { medium: 'GPU', group_idx: 0 } as const;
      this.#events.push({ type: 'BlockRemoved', block_hashes: [hash], ...where });
    }
  }

  cleared(): void {
    this.#events.push({ type: 'AllBlocksCleared' });
  }

  /** Publishes the events of the step that has ended. */
  flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#form === 'map' ? this.#events : this.#events.map(Object.values);
    this.#publish(encode([this.#clock.now() / 1000, events, 0]));
    this.#events = [];
  }
}
