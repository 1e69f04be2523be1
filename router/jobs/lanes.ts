/**
 * The lanes of the queue. Each has a runner of its own, so that jobs of one lane never wait for those
 * of the other. The indexes of migration 0021 are one for each lane, and name the kind as it is here.
 */
import { type RawBuilder, sql } from 'kysely';

/** The kind of the jobs that deliver webhooks, which have a lane of their own. */
export const WEBHOOK = 'webhook';

export type Lane = 'webhooks' | 'others';

/**
 * The condition for due jobs of a lane. It is written with literals, because an index for some rows
 * is used only if the query says the same as the index.
 */
export function waitsIn(lane: Lane): RawBuilder<boolean> {
  return lane === 'webhooks'
    ? sql<boolean>`state = 'waiting' and kind = 'webhook'`
    : sql<boolean>`state = 'waiting' and kind <> 'webhook'`;
}
