/**
 * What one router sees and has noticed that an operator may have to look at. Each router writes it
 * into its row in the store, and the one that answers an operator makes alarms of all of them.
 */
import { z } from 'zod';
import { isSellerMissing } from '../documents/parties.ts';
import { listModelsWithoutWorkers } from '../health.ts';
import type { ControlParts } from '../parts.ts';

/** How many names of models, and of anything else, a router reports. The rest is only counted. */
const MODELS_MAX = 50;
const NAMES_MAX = 10;
const NAME_CHARS_MAX = 256;

const name = z.string().transform((text) => text.slice(0, NAME_CHARS_MAX));
const count = z.int().nonnegative();
const names = z.object({ names: z.array(name).max(MODELS_MAX), count });
/** In ms since the epoch, at most the last one that a `Date` has. */
const instant = z.number().min(0).max(8.64e15);

const noted = z.object({
  kind: z.enum(['clamp', 'payment']),
  what: name,
  count,
  first: instant,
  last: instant,
});

/** A later version may add fields and kinds of `noted`, which this one leaves out. */
const Noticed = z.object({
  not_ready: name.nullable(),
  heartbeat_age_ms: z.number(),
  hold_ttl_ms: z.number(),
  certificates: z.array(z.object({ listener: name, expires: instant })).max(NAMES_MAX),
  failing_tasks: z.array(name).max(NAMES_MAX),
  catalog_rejected: z.boolean(),
  seller_missing: z.boolean(),
  models_without_workers: names,
  /** Workers that are neither ready nor drained, and those that audits raised alarms about. */
  unready_workers: names,
  suspect_workers: names,
  noted: z
    .array(z.unknown())
    .max(NAMES_MAX)
    .transform((all) => all.flatMap((one) => noted.safeParse(one).data ?? [])),
});
export type Noticed = Readonly<z.infer<typeof Noticed>>;
export type Names = z.infer<typeof names>;

export type NoticedParts = Pick<
  ControlParts,
  'fleet' | 'catalog' | 'provider' | 'seller' | 'alarmsOf' | 'notReadyBecause' | 'watch'
>;

export function noticedBy(parts: NoticedParts): Noticed {
  const { fleet, catalog, alarmsOf, watch } = parts;
  const workers = [...fleet.workers];
  const nameOf = ({ session, name: own }: (typeof workers)[number]) => `${session.name}/${own}`;
  const unready = workers.filter(
    ({ isServing, phase }) => !isServing && phase !== 'draining' && phase !== 'gone',
  );
  const suspect = workers.filter(({ id }) => alarmsOf(id).length > 0);
  return {
    not_ready: parts.notReadyBecause()?.slice(0, NAME_CHARS_MAX) ?? null,
    heartbeat_age_ms: watch.heartbeat.heartbeatAgeMs,
    hold_ttl_ms: watch.heartbeat.holdTtlMs,
    certificates: watch.certificates.slice(0, NAMES_MAX),
    failing_tasks: cut(watch.failingTasks, NAMES_MAX).names,
    catalog_rejected: catalog.status.fault !== null,
    seller_missing: isSellerMissing(parts),
    models_without_workers: cut(listModelsWithoutWorkers(parts), MODELS_MAX),
    unready_workers: cut(unready.map(nameOf), NAMES_MAX),
    suspect_workers: cut(suspect.map(nameOf), NAMES_MAX),
    noted: watch.noted.slice(0, NAMES_MAX),
  };
}

function cut(all: readonly string[], most: number): Names {
  return {
    names: all.slice(0, most).map((one) => one.slice(0, NAME_CHARS_MAX)),
    count: all.length,
  };
}

/** Returns null for what no router of this version has written. */
export function readNoticed(text: string | null): Noticed | null {
  if (text === null) return null;
  try {
    return Noticed.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
