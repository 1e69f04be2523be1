/**
 * The welcome credit. The organization with which somebody signed up gets it once they have
 * confirmed their address: once per address forever, and limited per network and day. An
 * organization that is refused the credit exists without it, and an operator may adjust its credit.
 */
import { DAY_MS } from '../../../shared/durations.ts';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import {
  mintId,
  type OrganizationId,
  type PersonId,
  type TransferId,
} from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { transfer } from '../../ledger/credit.ts';
import { lockAccount } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { isDeleted } from '../organizations/procedures.ts';
import type { ControlParts } from '../parts.ts';
import { mailboxDigest } from './address.ts';
import type { WelcomeTerms } from './terms.ts';

export type WelcomeParts = Pick<ControlParts, 'mailboxSecret' | 'clock' | 'random' | 'welcome'>;

/** What is needed to grant the credit when an address is confirmed. */
export type Welcome = Readonly<{
  email: string;
  /** The digest of its mailbox: `mailboxDigest`. */
  address: string;
  terms: WelcomeTerms;
  transfer: TransferId;
  entry: AuditEntry;
}>;

export function welcomeOf(
  { mailboxSecret, clock, random, welcome: terms }: WelcomeParts,
  request: Pick<FastifyRequest, 'auditEntry'>,
  email: string,
): Welcome {
  const actor = { kind: 'system', id: null } as const;
  return {
    email,
    address: mailboxDigest(mailboxSecret, email),
    terms,
    transfer: mintId('transfer', clock, random),
    entry: request.auditEntry({ actor }),
  };
}

/** For procedures: records that a new person may get the credit once their address is confirmed. */
export async function claimWelcome(
  db: Db,
  claim: Readonly<{
    person: PersonId;
    organization: OrganizationId;
    /** Keyed digest of the client's network. */
    network: string;
    created: number;
  }>,
): Promise<void> {
  const created = milliseconds(claim.created);
  await db
    .insertInto('welcome_claims')
    .values({ ...claim, created })
    .execute();
}

/**
 * For procedures: drops a person's claim, because the organization with which they signed up is not
 * theirs any more.
 */
export async function dropWelcomeClaim(db: Db, person: PersonId): Promise<void> {
  await db.deleteFrom('welcome_claims').where('person', '=', person).execute();
}

/**
 * For procedures that have just confirmed an address: grants the credit that the person may have,
 * or records why not. Returns whether it was granted.
 */
export async function giveWelcome(
  db: Db,
  person: PersonId,
  { address, terms, transfer: id, entry }: Welcome,
): Promise<boolean> {
  const claim = await db
    .deleteFrom('welcome_claims')
    .where('person', '=', person)
    .returning(['organization', 'network'])
    .executeTakeFirst();
  if (!claim || terms.amount === 0n) return false;
  const { organization } = claim;
  // The organization's deletion locks the account too: either it is seen here, or it ends the
  // credit as well.
  await lockAccount(db, organization);
  if (await isDeleted(db, organization)) return false;
  const line = { ...entry, organization, target: organization };
  const withheld = await whyWithheld(db, claim.network, address, terms, entry.created);
  if (withheld !== null) {
    await record(db, { ...line, action: 'welcome.withhold', details: { reason: withheld } });
    return false;
  }
  const answer = await transfer(db, {
    id,
    organization,
    kind: 'welcome',
    change: terms.amount,
    reference: organization,
    reason: null,
    created: entry.created,
  });
  if (typeof answer === 'string') throw new Error(`a welcome credit was not given: ${answer}`);
  const details = { amount: formatUsd(terms.amount) };
  await record(db, { ...line, action: 'welcome.give', details });
  return true;
}

async function whyWithheld(
  db: Db,
  network: string,
  address: string,
  { perNetworkPerDay }: WelcomeTerms,
  now: number,
): Promise<string | null> {
  if (!(await rememberWelcomed(db, address, now))) return 'the address has had it';
  if ((await countOfNetwork(db, network, now)) <= BigInt(perNetworkPerDay)) return null;
  // The address did not get the credit, so it may still get it later.
  await db.deleteFrom('welcomes').where('address', '=', address).execute();
  return 'too many of one network had it today';
}

/**
 * For procedures: records that an address has had the credit. Returns false when that was recorded
 * before.
 */
export async function rememberWelcomed(db: Db, address: string, now: number): Promise<boolean> {
  // Of two concurrent calls, the second waits here for the first.
  const kept = await db
    .insertInto('welcomes')
    .values({ address, created: milliseconds(now) })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .returning('address')
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * Counts the network's credits of the day in one statement, so that no two calls get the same
 * count.
 */
async function countOfNetwork(db: Db, network: string, nowMs: number): Promise<bigint> {
  const now = milliseconds(nowMs);
  const isOver = sql`abs(throttles.since - ${now}) >= ${BigInt(DAY_MS)}`;
  const { count } = await db
    .insertInto('throttles')
    .values({ subject: `welcome-network/${network}`, count: 1n, since: now })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        count: sql<bigint>`case when ${isOver} then 1 else throttles.count + 1 end`,
        since: sql<bigint>`case when ${isOver} then ${now} else throttles.since end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}
