/** Reads one job with its attempts, and with the delivery of a webhook that it belongs to. */
import type { WebhookDeliveryId } from '../../../shared/ids.ts';
import { WEBHOOK } from '../../jobs/lanes.ts';
import { readJob } from '../../jobs/list.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { JobRow } from '../../store/schema/ledger.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';
import { type Names, namesOf } from '../audit/names.ts';
import { deliveryIn, type Fact, factsOf } from './facts.ts';
import { type NamedJobs, withNames } from './procedures.ts';

export type ReadDelivery = Omit<WebhookDeliveryRow, 'body'>;

export type FoundJob = Omit<NamedJobs, 'rows'> &
  Readonly<{
    job: JobRow;
    facts: readonly Fact[];
    /** The names of what the facts and the delivery refer to. */
    factNames: Names;
    delivery: ReadDelivery | null;
  }>;

export const findJob = readProcedure<string, FoundJob | null>('findJob', async (db, id) => {
  const job = await readJob(db, id);
  if (job === null) return null;
  const { names, owners, faults } = await withNames(db, [job]);
  const facts = factsOf(job.payload);
  const delivery = job.kind === WEBHOOK ? await readDelivery(db, deliveryIn(facts)) : null;
  const referred = [...facts.map(({ value }) => value), ...(delivery ? [delivery.webhook] : [])];
  return { job, names, owners, faults, facts, factNames: await namesOf(db, referred), delivery };
});

async function readDelivery(db: Db, id: string | null): Promise<ReadDelivery | null> {
  if (id === null) return null;
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id as WebhookDeliveryId)
    .executeTakeFirst();
  return row ?? null;
}
