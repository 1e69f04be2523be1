/**
 * The audit log: every mutation, written in the transaction that makes it. It says who did what and from where,
 * and never quotes a secret: details are named one by one where a mutation is made.
 */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../shared/clock.ts';
import { type AuditId, mintId, type OrganizationId } from '../../../shared/ids.ts';
import type { Random } from '../../../shared/random.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { AuditRow } from '../../store/schema/people.ts';
import type { Api } from '../api.ts';

export type Actor = Readonly<{ kind: AuditRow['actor_kind']; id: string | null }>;

export type Details = Readonly<Record<string, string | number | boolean | null>>;

/** A line of the log, before it is known whether what it tells of has happened. */
export type Mark = Readonly<{
  id: AuditId;
  organization: OrganizationId | null;
  actor: Actor;
  action: string;
  /** The id of what was changed. */
  target: string | null;
  details: Details;
  address: string;
  request: string;
  /** ms since the epoch. */
  created: number;
}>;

/** What a route adds to what is known of its request; the organization is the one in the path, if not given. */
export type Marked = Readonly<{
  target?: string | null;
  details?: Details;
  organization?: OrganizationId | null;
  actor?: Actor;
}>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The line of the audit log for what this request is about to do. */
    mark(what?: Marked): Mark;
  }
}

export function markRequests(
  api: Api,
  { clock, random }: Readonly<{ clock: Clock; random: Random }>,
): void {
  api.decorateRequest('mark', function mark(this: FastifyRequest, what: Marked = {}): Mark {
    const { action } = this.routeOptions.config;
    if (action === undefined) throw new Error('a route that changes nothing leaves no mark');
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
  });
}

/** Who asks, as the log names them. */
export function actorOf({ caller, acting }: FastifyRequest): Actor {
  if (!caller) return { kind: 'nobody', id: null };
  if (caller.kind === 'management-token') return { kind: 'management-token', id: caller.token };
  const asOperator = caller.operator && (acting === null || acting.role === 'operator');
  return { kind: asOperator ? 'operator' : 'person', id: caller.person };
}

/** For procedures: writes the line beside what it tells of. */
export async function record(db: Db, mark: Mark): Promise<void> {
  const { id, organization, actor, action, target, details, address, request, created } = mark;
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
      address,
      request,
      created: BigInt(Math.round(created)),
    })
    .execute();
}

/** For what is changed elsewhere than in the store. */
export const recordMark: Procedure<Mark, null> = {
  name: 'recordMark',
  access: 'write',
  async run(db, mark) {
    await record(db, mark);
    return null;
  },
};

/** A procedure with its line in the log, where its answer says that it has happened. */
export function audited<Input, Output>(
  procedure: Procedure<Input, Output>,
  happened: (answer: Output) => boolean,
): Procedure<Readonly<{ input: Input; mark: Mark }>, Output> {
  const { announces } = procedure;
  return {
    name: `${procedure.name}Audited`,
    access: 'write',
    ...(announces && { announces: ({ input }) => announces(input) }),
    async run(db, { input, mark }) {
      const answer = await procedure.run(db, input);
      if (happened(answer)) await record(db, mark);
      return answer;
    },
  };
}
