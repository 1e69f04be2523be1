import { z } from 'zod';
import { pageQuery } from '../../../shared/api/pages.ts';
import {
  WorkerDrain,
  WorkerEntry,
  WorkerPage,
  WorkerUndrain,
} from '../../../shared/api/workers.ts';
import type { Worker } from '../../fleet/worker.ts';
import { type Api, found, isoInstant } from '../api.ts';
import { recordAuditEntry } from '../audit/record.ts';
import { answerPage, cutPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';

export type WorkerParts = Pick<ControlParts, 'store' | 'fleet' | 'alarmsOf'>;

export function workerRoutes(api: Api, { store, fleet, alarmsOf }: WorkerParts): void {
  const shown = (worker: Worker) => workerEntry(worker, alarmsOf(worker.id));
  const workerWith = (id: string) => {
    const worker = [...fleet.workers].find((candidate) => candidate.id === id);
    return found(worker, 'worker');
  };

  api.get(
    '/workers',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the engines that are connected to this router',
        tags: ['workers'],
        querystring: pageQuery(z.string().max(512)),
        response: { 200: WorkerPage },
      },
    },
    async ({ query: { limit, after = '' } }) => {
      // In order of id, so that pages never repeat or skip a worker that stays while others come
      // and go.
      const workers = [...fleet.workers]
        .filter(({ id }) => id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return answerPage(
        cutPage(workers, limit, ({ id }) => id),
        shown,
      );
    },
  );

  // The id is in the body, because it contains a slash, which proxies treat in different ways.
  api.post(
    '/workers/drain',
    {
      config: { access: 'operator', action: 'worker.drain' },
      schema: {
        summary: 'Stop sending new requests to a worker',
        tags: ['workers'],
        body: WorkerDrain,
        response: { 200: WorkerEntry },
      },
    },
    async (request) => {
      const { id, reason = null } = request.body;
      const worker = workerWith(id);
      await store.call(recordAuditEntry, request.auditEntry({ target: id, reason }));
      fleet.drainWorker(id);
      return shown(worker);
    },
  );

  api.post(
    '/workers/undrain',
    {
      config: { access: 'operator', action: 'worker.undrain' },
      schema: {
        summary: 'Send new requests to a drained worker again',
        tags: ['workers'],
        body: WorkerUndrain,
        response: { 200: WorkerEntry },
      },
    },
    async (request) => {
      const { id } = request.body;
      const worker = workerWith(id);
      await store.call(recordAuditEntry, request.auditEntry({ target: id }));
      fleet.undrainWorker(id);
      return shown(worker);
    },
  );
}

function workerEntry(worker: Worker, alarms: ReturnType<WorkerParts['alarmsOf']>): WorkerEntry {
  const { load, lastReady } = worker;
  return {
    id: worker.id,
    agent: worker.agent,
    agent_name: worker.session.name,
    agent_version: worker.session.version,
    name: worker.name,
    region: worker.region,
    engine: load.engine,
    phase: worker.phase,
    breaker: worker.breaker.state,
    share: worker.breaker.share,
    models: [...worker.models],
    engine_found: load.boot !== '',
    last_ready: lastReady && { at: isoInstant(lastReady.at), models: [...lastReady.models] },
    slots: load.slots,
    running: load.running,
    waiting: load.waiting,
    in_flight: worker.inFlight,
    kv_use: load.kvUse,
    prefix_hit_tokens: load.prefixHitTokens,
    prefix_query_tokens: load.prefixQueryTokens,
    alarms: alarms.map(({ kind, count, last }) => ({ kind, count, last: isoInstant(last) })),
    completion_tokens: worker.completionTokens,
    gpus: load.gpus.map(({ name, memoryUsedBytes, memoryTotalBytes, use }) => ({
      name,
      memory_used_bytes: memoryUsedBytes,
      memory_total_bytes: memoryTotalBytes,
      use,
    })),
    notes: load.notes,
  };
}
