/** `penstock admin worker …` */
import { Reason } from '../../shared/api/fields.ts';
import { WorkerEntry } from '../../shared/api/workers.ts';
import { command } from './command.ts';
import { worker } from './flags.ts';

export const workers = {
  list: command({}, async ({ client, list }) =>
    list(client.pages('/workers', WorkerEntry), fields),
  ),
  drain: command({ worker, reason: Reason.optional() }, async ({ client, show }, flags) => {
    const { worker: id, reason } = flags;
    const order = reason === undefined ? { id } : { id, reason };
    await show(await client.call('POST', '/workers/drain', WorkerEntry, order), fields);
  }),
  undrain: command({ worker }, async ({ client, show }, flags) =>
    show(await client.call('POST', '/workers/undrain', WorkerEntry, { id: flags.worker }), fields),
  ),
};

function fields(entry: WorkerEntry) {
  const { id, region, phase, breaker, share, models, in_flight, running, waiting, slots, kv_use } =
    entry;
  return {
    id,
    region,
    phase,
    breaker: share < 1 && share > 0 ? `${breaker} ${percent(share)}` : breaker,
    'in flight': in_flight,
    running: `${running}/${slots}`,
    waiting,
    'kv use': percent(kv_use),
    'prefix hits': prefixHits(entry),
    alarms: alarmText(entry.alarms),
    models: models.join(' '),
    agent: entry.agent_version ?? null,
    notes: entry.notes.join('; ') || null,
  };
}

/**
 * Returns the alarms as text, such as `completion_inflated ×2`. Returns null when there are none.
 */
function alarmText(alarms: WorkerEntry['alarms']): string | null {
  if (alarms.length === 0) return null;
  return alarms.map(({ kind, count }) => `${kind} ×${count}`).join(', ');
}

/** Returns the share of prompt tokens that were found in the prefix cache, or null without any. */
function prefixHits({ prefix_hit_tokens, prefix_query_tokens }: WorkerEntry): string | null {
  return prefix_query_tokens === 0 ? null : percent(prefix_hit_tokens / prefix_query_tokens);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
