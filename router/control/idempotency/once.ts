/**
 * Mutations that move money, made once: whoever has lost an answer sends the same again under the same
 * Idempotency-Key, and has the answer that the first had. It is kept in the transaction that makes the change, so that
 * there is never one without the other. A refusal is not kept: nothing was done, and the next try may succeed.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../shared/clock.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import { type Api, Refused } from '../api.ts';
import { actorOf, type Mark } from '../audit/record.ts';

type Once = Readonly<{
  /** Of who sent the header, for which organization, and what it said. */
  digest: string;
  /** Of what was asked for. */
  request: string;
  /** ms since the epoch. */
  created: number;
}>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: it came without an Idempotency-Key. */
    once(): Once | null;
  }
}

export function keyRequests(api: Api, { clock }: Readonly<{ clock: Clock }>): void {
  api.decorateRequest('once', function readKey(this: FastifyRequest): Once | null {
    const { money, action } = this.routeOptions.config;
    if (money === undefined) throw new Error('a route that moves no money is not made once');
    const key = this.headers['idempotency-key'];
    if (typeof key !== 'string') return null;
    const { kind, id } = actorOf(this);
    const { organization = null } = this.params as { organization?: string };
    return {
      digest: digestOf([kind, id, organization, key]),
      request: digestOf([action, this.params, this.body ?? null]),
      created: clock.now(),
    };
  });
}

function digestOf(what: unknown): string {
  return createHash('sha256').update(written(what)).digest('hex');
}

/** A procedure that is made once under its key; its answer, where it is a change, is an object. */
export function once<Input, Output>(
  procedure: Procedure<Readonly<{ input: Input; mark: Mark }>, Output>,
): Procedure<Readonly<{ input: Input; mark: Mark; once: Once | null }>, Output | 'key_reused'> {
  const { announces } = procedure;
  return {
    name: `${procedure.name}Once`,
    access: 'write',
    ...(announces && { announces }),
    async run(db, { once: key, ...asked }) {
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

/** Of several at once under one key, the first makes the change, and the others wait for it here. */
async function claim(
  db: Db,
  { digest, request, created }: Once,
): Promise<Readonly<{ request: string; answer: string }> | null> {
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ digest, request, answer: '', created: BigInt(Math.round(created)) })
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

async function keep(db: Db, { digest }: Once, answer: unknown): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: written(answer) })
    .where('digest', '=', digest)
    .execute();
}

async function drop(db: Db, { digest }: Once): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('digest', '=', digest).execute();
}

/** JSON has no bigint. */
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

/** Throws Refused where the key came with another request before. */
export function unlessReused<Output>(answer: Output): Exclude<Output, 'key_reused'> {
  if (answer !== 'key_reused') return answer as Exclude<Output, 'key_reused'>;
  const message = 'This Idempotency-Key came with another request before: use a new one.';
  throw new Refused('conflict', message, 'idempotency-key');
}
