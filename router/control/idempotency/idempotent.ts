/**
 * Makes mutations idempotent: those that move money, and others that must not happen twice. A client that has lost a response repeats the request
 * with the same Idempotency-Key and gets the first response again. The response is stored in the
 * transaction that makes the change, so there is never one without the other. A refusal is not
 * stored: nothing was changed, and a retry may succeed.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../shared/clock.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import { type Api, Refused } from '../api.ts';
import { actorOf, type AuditEntry } from '../audit/record.ts';

type IdempotencyKeyUse = Readonly<{
  /** Digest of the caller, the organization and the header's value. */
  digest: string;
  /** Digest of the action, the path parameters and the body. */
  request: string;
  /** ms since the epoch. */
  created: number;
}>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when the request has no Idempotency-Key. */
    idempotency(): IdempotencyKeyUse | null;
  }
}

export function keyRequests(api: Api, { clock }: Readonly<{ clock: Clock }>): void {
  api.decorateRequest(
    'idempotency',
    function readKey(this: FastifyRequest): IdempotencyKeyUse | null {
      const { money = false, takesKey = false, action } = this.routeOptions.config;
      if (!money && !takesKey) throw new Error('this route has no idempotency key');
      const key = this.headers['idempotency-key'];
      if (typeof key !== 'string') return null;
      const { kind, id } = actorOf(this);
      const { organization = null } = this.params as { organization?: string };
      return {
        digest: digestOf([kind, id, organization, key]),
        request: digestOf([action, this.params, this.body ?? null]),
        created: clock.now(),
      };
    },
  );
}

function digestOf(what: unknown): string {
  return createHash('sha256').update(written(what)).digest('hex');
}

/**
 * Wraps a procedure so that it runs once for each Idempotency-Key. The procedure must answer with
 * an object when it has made its change. `key_reused`: the key was used with a different request
 * before.
 */
export function idempotent<Input, Output>(
  procedure: Procedure<Readonly<{ input: Input; entry: AuditEntry }>, Output>,
): Procedure<
  Readonly<{ input: Input; entry: AuditEntry; idempotency: IdempotencyKeyUse | null }>,
  Output | 'key_reused'
> {
  const { invalidates } = procedure;
  return {
    name: `${procedure.name}Once`,
    access: 'write',
    ...(invalidates && { invalidates }),
    async run(db, { idempotency: key, ...asked }) {
      if (key === null) return await procedure.run(db, asked);
      const before = await claim(db, key);
      if (before)
        return before.request === key.request ? (read(before.answer) as Output) : 'key_reused';
      const answer = await procedure.run(db, asked);
      await (typeof answer === 'object' ? keep(db, key, answer) : drop(db, key));
      return answer;
    },
  };
}

/**
 * Claims the key. Of concurrent requests with the same key, the first makes the change and the
 * others wait here.
 */
async function claim(
  db: Db,
  { digest, request, created }: IdempotencyKeyUse,
): Promise<Readonly<{ request: string; answer: string }> | null> {
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ digest, request, answer: '', created: milliseconds(created) })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst();
  if (claimed) return null;
  return await db
    .selectFrom('idempotency_keys')
    .select(['request', 'answer'])
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow();
}

async function keep(db: Db, { digest }: IdempotencyKeyUse, answer: unknown): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: written(answer) })
    .where('digest', '=', digest)
    .execute();
}

async function drop(db: Db, { digest }: IdempotencyKeyUse): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('digest', '=', digest).execute();
}

/** Serializes to JSON, with bigints as `{ $bigint }`. */
function written(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? { $bigint: part.toString() } : part,
  );
}

function read(text: string): unknown {
  return JSON.parse(text, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && '$bigint' in part
      ? BigInt(part.$bigint as string)
      : part,
  );
}

/** Throws `Refused` when the key was used with a different request before. */
export function unlessReused<Output>(answer: Output): Exclude<Output, 'key_reused'> {
  if (answer !== 'key_reused') return answer as Exclude<Output, 'key_reused'>;
  const message = 'This Idempotency-Key was used with a different request: use a new one.';
  throw new Refused('conflict', message, 'idempotency-key');
}
