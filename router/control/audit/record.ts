/**
 * The audit log. Every mutation is recorded in the transaction that makes it, with who did what and
 * from where. Entries never contain a secret: each mutation names its details one by one.
 */
import type { FastifyRequest } from 'fastify';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import type { DetailValue } from '../../../shared/audit-words.ts';
import { type AuditId, mintId, type OrganizationId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, type Procedure, writeProcedure } from '../../store/procedure.ts';
import type { AuditRow } from '../../store/schema/people.ts';
import type { Api } from '../api.ts';
import type { ControlParts } from '../parts.ts';

export type Actor = Readonly<{ kind: AuditRow['actor_kind']; id: string | null }>;

export type Details = Readonly<Record<string, DetailValue>>;

/** An audit entry that is ready to be written once its mutation has succeeded. */
export type AuditEntry = Readonly<{
  id: AuditId;
  organization: OrganizationId | null;
  actor: Actor;
  action: AuditAction;
  /** The id of the object that was changed. */
  target: string | null;
  details: Details;
  /** The values that `details` has replaced, by the same names. */
  before?: Details | null;
  /** Why an operator did it. Customers never see it. */
  reason?: string | null;
  address: string;
  request: string;
  /** ms since the epoch. */
  created: number;
}>;

/**
 * What a route adds to its request's audit entry. `organization` defaults to the one in the path.
 */
export type AuditFields = Readonly<{
  target?: string | null;
  details?: Details;
  reason?: string | null;
  organization?: OrganizationId | null;
  actor?: Actor;
}>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Builds the audit entry for the mutation that this request is about to make. */
    auditEntry(what?: AuditFields): AuditEntry;
  }
}

export function decorateAuditEntry(
  api: Api,
  { clock, random }: Pick<ControlParts, 'clock' | 'random'>,
): void {
  api.decorateRequest(
    'auditEntry',
    function auditEntry(this: FastifyRequest, what: AuditFields = {}) {
      const { action } = this.routeOptions.config;
      if (action === undefined) throw new Error('a route without an action has no audit entry');
      return {
        id: mintId('audit', clock, random),
        organization: this.acting?.organization ?? null,
        actor: actorOf(this),
        action,
        target: null,
        details: {},
        address: this.ip,
        request: this.id,
        created: clock.now(),
        ...what,
      };
    },
  );
}

/** The caller as the audit log names it. */
export function actorOf({ caller, acting }: FastifyRequest): Actor {
  if (!caller) return { kind: 'nobody', id: null };
  if (caller.kind === 'management-token') return { kind: 'management-token', id: caller.token };
  const asOperator = caller.operator !== null && (acting === null || acting.role === 'operator');
  return { kind: asOperator ? 'operator' : 'person', id: caller.person };
}

/** For procedures: writes an audit entry in the mutation's own transaction. */
export async function record(db: Db, entry: AuditEntry): Promise<void> {
  const { id, organization, actor, action, target, details, before, address, request, created } =
    entry;
  const { reason = null } = entry;
  await db
    .insertInto('audit')
    .values({
      id,
      organization,
      actor_kind: actor.kind,
      actor: actor.id,
      action,
      target,
      details: JSON.stringify(details),
      before: before ? JSON.stringify(before) : null,
      reason,
      address,
      request,
      created: milliseconds(created),
    })
    .execute();
}

/** The entry of a change that the system makes by itself, without a request. */
export function systemEntry(
  change: Pick<AuditEntry, 'id' | 'organization' | 'action' | 'target' | 'details' | 'created'>,
): AuditEntry {
  return { ...change, actor: { kind: 'system', id: null }, address: '', request: '' };
}

/** Records a mutation that happens outside the store. */
export const recordAuditEntry = writeProcedure<AuditEntry, null>(
  'recordAuditEntry',
  async (db, entry) => {
    await record(db, entry);
    return null;
  },
);

/**
 * Wraps a procedure so that it writes an audit entry in the same transaction when `happened`
 * returns true for its answer. By default, the change was made if the answer is `done` or an object,
 * and refused if it is null or another string. `before` reads the current values of what the
 * procedure changes, and locks the same rows first, so that nobody changes them in between. The
 * entry keeps those values whose names its details have.
 */
export function audited<Input, Output>(
  procedure: Procedure<Input, Output>,
  happened: (answer: Output) => boolean = isDone,
  before?: (db: Db, input: Input) => Promise<Details | null>,
): Procedure<Readonly<{ input: Input; entry: AuditEntry }>, Output> {
  const { invalidates } = procedure;
  return {
    name: `${procedure.name}Audited`,
    access: 'write',
    ...(invalidates && { invalidates: ({ input }) => invalidates(input) }),
    async run(db, { input, entry }) {
      const values = before ? await before(db, input) : null;
      const answer = await procedure.run(db, input);
      if (happened(answer)) {
        await record(db, { ...entry, before: values && replaced(values, entry.details) });
      }
      return answer;
    },
  };
}

function replaced(before: Details, details: Details): Details {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in details));
}

function isDone(answer: unknown): boolean {
  return answer === 'done' || (typeof answer === 'object' && answer !== null);
}
