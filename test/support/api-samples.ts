/**
 * Sample ids for the parameters in paths, by the parameter's name: the id of something that an
 * organization has, and an id of nothing. A new parameter name needs an entry here; without one the
 * matrix test fails.
 */
import { systemClock as clock } from '../../shared/clock.ts';
import { mintId } from '../../shared/ids.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { signIn } from '../router/control/people.ts';
import type { Rig } from '../router/control/rig.ts';

type Sample = Readonly<{
  /** A well-formed id of nothing. */
  missing: string;
  /**
   * Creates the object for an organization, without the caller's help. If absent, only `missing` is
   * tested.
   */
  make?: (rig: Rig, organization: string) => Promise<string>;
  /** Every organization has the same id. */
  isShared?: true;
}>;

const NONE = '0'.repeat(26);

let numbers = 0;
/** Returns a number that was not returned before, for values that must be unique. */
function nextNumber(): number {
  numbers += 1;
  return numbers;
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  agent: {
    missing: `agt_${NONE}`,
    make: async (rig) => (await made(rig, '/api/v1/agents', { name: 'gpu' })).id as string,
  },
  chat: {
    missing: `cht_${NONE}`,
    make: async (rig, organization) => {
      const owner = await signIn(rig, { role: 'developer', organization });
      const path = `/api/v1/organizations/${organization}/chats`;
      return (await owner.ask('POST', path, { title: 'Rivers', contents: 'q1Y' })).body.id;
    },
  },
  delivery: {
    missing: `dlv_${NONE}`,
  },
  incident: {
    missing: `icd_${NONE}`,
    make: async (rig) =>
      (await made(rig, '/api/v1/incidents', { title: 'Slow', message: 'We are looking.' }))
        .id as string,
  },
  invitation: {
    missing: `inv_${NONE}`,
    make: async (rig, organization) => {
      const id = mintId('invitation', clock, random);
      await rig.place.sql(
        `insert into invitations (id, organization, email, role, state, created, expires)
         values ('${id}', '${organization}', '${id}@example.com', 'viewer', 'open', ${clock.now()},
           ${clock.now() + 86_400_000})`,
      );
      return id;
    },
  },
  invoice: {
    missing: `ivc_${NONE}`,
    make: async (rig, organization) => {
      const id = mintId('invoice', clock, random);
      const number = nextNumber();
      await rig.place.sql(
        `insert into invoices (id, number, organization, billed_to, month, from_seq, to_seq, total,
           brought_forward, amount_due, terms_days, due, status, created)
         values ('${id}', ${number}, '${organization}', 'Acme', ${2_000 * 12 + number}, ${number},
           ${number}, 25000000000000, 0, 25000000000000, 30, ${clock.now()}, 'open', ${clock.now()})`,
      );
      return id;
    },
  },
  job: {
    missing: `job_${NONE}`,
    make: async (rig, organization) => {
      const id = `job_${String(nextNumber()).padStart(26, '0')}`;
      await rig.place.sql(
        `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at,
           last_error, created, ended)
         values ('${id}', 'letter', '${organization}', 'letter/receipt/${id}', '{}', 'failed', 12,
           ${clock.now()}, 'mail_refused', ${clock.now()}, ${clock.now()})`,
      );
      return id;
    },
  },
  key: {
    missing: 'key_000000000000',
    make: async (rig, organization) => {
      const key = await made(rig, `/api/v1/organizations/${organization}/keys`, { name: 'k' });
      return key.id as string;
    },
  },
  member: {
    missing: `mem_${NONE}`,
    make: async (rig, organization) =>
      (await signIn(rig, { role: 'viewer', organization })).member as string,
  },
  model: { missing: 'none', isShared: true, make: async () => 'qwen3-235b-a22b-instruct-2507' },
  month: { missing: '2026-13', isShared: true, make: async () => '2026-11' },
  namespace: { missing: 'none', isShared: true, make: async () => 'qwen' },
  payment: {
    missing: `pay_${NONE}`,
    make: async (rig, organization) => {
      const id = mintId('payment', clock, random);
      await rig.place.sql(
        `insert into payments (id, organization, provider, purpose, state, amount, keep_method, created)
         values ('${id}', '${organization}', 'sandbox', 'top-up', 'expired', 25000000000000, 0,
           ${clock.now()})`,
      );
      return id;
    },
  },
  person: {
    missing: `per_${NONE}`,
    make: async (rig, organization) => (await signIn(rig, { role: 'viewer', organization })).person,
  },
  request: {
    missing: `req_${NONE}`,
    make: async (rig, organization) => {
      const id = mintId('request', clock, random);
      await rig.place.sql(
        `insert into usage (request, organization, seq, key, source, completion_id, model, region,
           price, prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens,
           duration_ms, status, cost, outcome, created)
         values ('${id}', '${organization}', ${nextNumber()}, 'key_000000000000', 'api', 'c', 'm',
           'global', 'prc_0', 1, 0, 'reported', 1, 0, 1, 200, 0, 'settled', ${clock.now()})`,
      );
      return id;
    },
  },
  router: {
    missing: `rtr_${NONE}`,
    make: async (rig) => {
      const id = mintId('incarnation', clock, random);
      await rig.place.sql(
        `insert into incarnations (id, beat, regions, started) values ('${id}', 0, 'global', ${clock.now()})`,
      );
      return id;
    },
  },
  passkey: {
    missing: `pky_${NONE}`,
  },
  session: {
    missing: `ses_${NONE}`,
    make: async (rig, organization) => {
      const { person } = await signIn(rig, { role: 'viewer', organization });
      const [row] = await rig.place.sql(`select id from sessions where person = '${person}'`);
      return (row as { id: string }).id;
    },
  },
  webhook: {
    missing: `whk_${NONE}`,
    make: async (rig, organization) => {
      const id = mintId('webhook', clock, random);
      await rig.place.sql(
        `insert into webhook_endpoints (id, organization, url, events, secret, active, created,
           turn)
         values ('${id}', '${organization}', 'https://example.com/hooks', 'balance.low', '', 1,
           ${clock.now()}, ${clock.now()})`,
      );
      return id;
    },
  },
  token: {
    missing: `mtk_${NONE}`,
    make: async (rig, organization) => {
      const id = mintId('managementToken', clock, random);
      await rig.place.sql(
        `insert into management_tokens (id, organization, digest, name, role, created)
         values ('${id}', '${organization}', '${id}', 'script', 'viewer', ${clock.now()})`,
      );
      return id;
    },
  },
};

export const MISSING_ORGANIZATION = `org_${NONE}`;

async function made(rig: Rig, path: string, body: object): Promise<Record<string, unknown>> {
  return (await rig.ask('POST', path, body)).body;
}

/** Returns the names of the parameters in a path, without `organization`. */
export function parametersIn(url: string): string[] {
  return [...url.matchAll(/:(\w+)/g)]
    .map(([, name]) => name as string)
    .filter((name) => name !== 'organization');
}

type Which = 'own' | 'missing';

/**
 * Fills the ids into a path: the id of `organization`, and for the other parameters ids that
 * `owner` has, or ids of nothing.
 */
export async function fillPath(
  rig: Rig,
  url: string,
  { organization, owner, which }: Readonly<{ organization: string; owner: string; which: Which }>,
): Promise<string> {
  let path = url.replace(':organization', organization);
  for (const name of parametersIn(url)) {
    const sample = SAMPLES[name];
    if (!sample) throw new Error(`:${name} needs its entry in test/support/api-samples.ts`);
    const id = which === 'own' ? await sample.make?.(rig, owner) : undefined;
    path = path.replace(`:${name}`, encodeURIComponent(id ?? sample.missing));
  }
  return path;
}
