/**
 * Agents and their join tokens. An operator enrols an agent, the agent joins once with its own key,
 * and revocation is final.
 */
import type { AgentId } from '../../../shared/ids.ts';
import type { EnrolmentFault } from '../../fleet/enrolment.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { AgentRow, JoinTokenRow } from '../../store/schema/fleet.ts';
import { audited } from '../audit/record.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';

export const insertAgent = writeProcedure<{ agent: AgentRow; token: JoinTokenRow }, null>(
  'insertAgent',
  async (db, { agent, token }) => {
    await db.insertInto('agents').values(agent).execute();
    await db.insertInto('join_tokens').values(token).execute();
    return null;
  },
);

export const listAgents = readProcedure<ListQuery<AgentId>, Page<AgentRow, AgentId>>(
  'listAgents',
  (db, asked) => readPage(db.selectFrom('agents').selectAll(), 'id', asked),
);

export const findAgent = readProcedure<AgentId, AgentRow | null>('findAgent', async (db, id) => {
  const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
});

/** The names of the given agents. */
export const nameAgents = readProcedure<readonly AgentId[], ReadonlyMap<AgentId, string>>(
  'nameAgents',
  async (db, ids) => {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('agents')
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  },
);

/**
 * Revokes an agent, whose key and join token stop working. Returns the agent, or null when there is
 * no such agent.
 */
export const revokeAgent = writeProcedure<AgentId, AgentRow | null>(
  'revokeAgent',
  async (db, id) => {
    const row = await db
      .updateTable('agents')
      .set({ state: 'revoked' })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  },
);

export const enrolAudited = audited(insertAgent, () => true);
export const revokeAgentAudited = audited(revokeAgent);

/**
 * Returns the enrolled agent with this public key and sets its `last_seen` to `at`, or returns
 * null.
 */
export const greetAgent = writeProcedure<{ publicKey: string; at: bigint }, AgentRow | null>(
  'greetAgent',
  async (db, { publicKey, at }) => {
    const row = await db
      .updateTable('agents')
      .set({ last_seen: at })
      .where('public_key', '=', publicKey)
      .where('state', '=', 'enrolled')
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  },
);

/**
 * Redeems a join token for a public key; the same key may redeem it again. Returns null when the
 * token is unknown, expired or redeemed by another key, when the agent is revoked, or when the key
 * belongs to another agent.
 */
export const joinAgent = writeProcedure<
  { digest: string; publicKey: string; at: bigint },
  AgentRow | null
>('joinAgent', async (db, { digest, publicKey, at }) => {
  const token = await db
    .updateTable('join_tokens')
    .set((row) => ({
      used: row.fn.coalesce('used', row.val(at)),
      used_by_key: publicKey,
    }))
    .where('digest', '=', digest)
    .where('expires', '>', at)
    .where((row) => row.or([row('used_by_key', 'is', null), row('used_by_key', '=', publicKey)]))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('agents')
            .select('agents.id')
            .where('agents.public_key', '=', publicKey)
            .whereRef('agents.id', '!=', 'join_tokens.agent'),
        ),
      ),
    )
    .returning('agent')
    .executeTakeFirst();
  if (!token) return null;
  const row = await db
    .updateTable('agents')
    .set({ public_key: publicKey, state: 'enrolled', last_seen: at })
    .where('id', '=', token.agent)
    .where('state', '!=', 'revoked')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
});

/**
 * Returns why `greetAgent` and `joinAgent` have found no agent for this key and this join token. The
 * digest is null when the agent has sent no token.
 */
export const findEnrolmentFault = readProcedure<
  { digest: string | null; publicKey: string; at: bigint },
  EnrolmentFault
>('findEnrolmentFault', async (db, { digest, publicKey, at }) => {
  const owner = await db
    .selectFrom('agents')
    .select('state')
    .where('public_key', '=', publicKey)
    .executeTakeFirst();
  if (owner?.state === 'revoked') return 'key_revoked';
  if (digest === null) return 'no_token';
  const token = await db
    .selectFrom('join_tokens')
    .innerJoin('agents', 'agents.id', 'join_tokens.agent')
    .select(['join_tokens.expires', 'join_tokens.used_by_key', 'agents.state'])
    .where('join_tokens.digest', '=', digest)
    .executeTakeFirst();
  if (!token) return 'token_unknown';
  if (token.state === 'revoked') return 'token_revoked';
  if (token.used_by_key !== null && token.used_by_key !== publicKey) return 'token_used';
  return token.expires <= at ? 'token_expired' : 'token_unknown';
});

/** The public keys of enrolled agents, at most as many as the input. */
export const listEnrolledKeys = readProcedure<number, readonly string[]>(
  'listEnrolledKeys',
  async (db, most) => {
    const rows = await db
      .selectFrom('agents')
      .select('public_key')
      .where('state', '=', 'enrolled')
      .limit(most)
      .execute();
    return rows.flatMap(({ public_key }) => public_key ?? []);
  },
);

/** How many agents one query looks up. */
const LOOKED_UP_AT_ONCE = 1_000;

/** Sets the `last_seen` of agents that are connected. A later time of another router stays. */
export const noteAgentsSeen = writeProcedure<{ agents: readonly AgentId[]; at: bigint }, null>(
  'noteAgentsSeen',
  async (db, { agents, at }) => {
    for (let from = 0; from < agents.length; from += LOOKED_UP_AT_ONCE) {
      await db
        .updateTable('agents')
        .set({ last_seen: at })
        .where('id', 'in', agents.slice(from, from + LOOKED_UP_AT_ONCE))
        .where('last_seen', '<', at)
        .execute();
    }
    return null;
  },
);

/** Returns those of the given agents that are revoked. */
export const findRevoked = readProcedure<readonly AgentId[], readonly AgentId[]>(
  'findRevoked',
  async (db, agents) => {
    const revoked: AgentId[] = [];
    for (let from = 0; from < agents.length; from += LOOKED_UP_AT_ONCE) {
      const rows = await db
        .selectFrom('agents')
        .select('id')
        .where('id', 'in', agents.slice(from, from + LOOKED_UP_AT_ONCE))
        .where('state', '=', 'revoked')
        .execute();
      revoked.push(...rows.map(({ id }) => id));
    }
    return revoked;
  },
);
