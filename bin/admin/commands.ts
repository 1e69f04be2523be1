/** The commands of `penstock admin`, as a table. The code of a command is loaded when it is run. */
import type { Command } from 'commander';
import { OPERATOR } from './operator-words.ts';

const FLAGS = {
  organization: ['--organization <ID>', 'the organization'],
  key: ['--key <ID>', 'the API key, by its id'],
  agent: ['--agent <ID>', 'the agent'],
  payment: ['--payment <ID>', 'the payment'],
  person: ['--person <ID>', 'the person'],
  worker: ['--worker <ID>', 'the worker: <agent id>/<engine name>'],
  name: ['--name <TEXT>', 'its name'],
  region: ['--region <REGION>', 'global, us or eu; global if not given'],
  newRegion: ['--region <REGION>', 'global, us or eu'],
  termsDays: ['--terms-days <N>', 'how long it has to pay an invoice; as before if not given'],
  creditLimit: ['--credit-limit <USD>', 'how far an invoiced one may go below 0; none: prepaid'],
  requestsPerMinute: ['--requests-per-minute <N>', "a number, or default: the router's"],
  tokensPerMinute: ['--tokens-per-minute <N>', 'prompt and completion together, or default'],
  concurrentRequests: ['--concurrent-requests <N>', 'a number, or default'],
  expires: ['--expires <INSTANT>', 'until when: 2027-01-31T00:00:00Z; for ever if not given'],
  token: ['--token <ID>', 'the management token, by its id'],
  role: ['--role <ROLE>', 'org-admin, billing-admin, developer or viewer'],
  monthlyCap: ['--monthly-cap <USD>', 'what it may spend in a calendar month (UTC), or none'],
  model: ['--model <ID>', 'the model, by its id in the catalog'],
  prompt: ['--prompt <USD>', 'per token of input'],
  completion: ['--completion <USD>', 'per token of output'],
  inputCacheRead: ['--input-cache-read <USD>', 'per token of input that came from a cache'],
  from: ['--from <DAY>', 'the first day (UTC), as 2026-11-21; of this month if not given'],
  to: ['--to <DAY>', 'the last day (UTC); today if not given'],
  csv: ['--csv', 'print CSV'],
  actor: ['--actor <ID>', 'the person or the management token'],
  action: ['--action <NAME>', 'such as key.create, or key for all that is done with keys'],
  email: ['--email <ADDRESS>', 'the email address'],
  member: ['--member <ID>', 'the member'],
  search: ['--search <TEXT>', "an id, or a part of a name or of a member's email address"],
  amount: ['--amount <USD>', 'what to add, or to take when it is below zero: 5, -2.5'],
  part: ['--amount <USD>', 'a part of it; all that is left, if not given'],
  reason: ['--reason <TEXT>', 'why; it stands beside the transfer'],
  purpose: ['--purpose <PURPOSE>', 'reset-password or confirm-email'],
  invoice: ['--invoice <ID>', 'the invoice, by its id'],
  status: ['--status <STATUS>', 'only those that are open, paid or void'],
  reference: ['--reference <TEXT>', 'what its payment is known by'],
  idempotencyKey: [
    '--idempotency-key <KEY>',
    'of a command that failed: what it did is not done again',
  ],
} as const;

const LIMITS = ['requestsPerMinute', 'tokensPerMinute', 'concurrentRequests'] as const;

type Verb = Readonly<{
  does: string;
  flags: readonly (keyof typeof FLAGS)[];
  load: () => Promise<(flags: object) => Promise<void>>;
}>;

const RESOURCES: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  organization: {
    create: {
      does: 'open an organization with its welcome credit',
      flags: ['name', 'region', 'idempotencyKey'],
      load: async () => (await import('./organization.ts')).createOrganization,
    },
    list: {
      does: 'all organizations, or those that fit a search',
      flags: ['search'],
      load: async () => (await import('./organization.ts')).listOrganizations,
    },
    show: {
      does: 'one organization',
      flags: ['organization'],
      load: async () => (await import('./organization.ts')).showOrganization,
    },
    suspend: {
      does: 'refuse all its requests from now on, and cut those that run',
      flags: ['organization'],
      load: async () => (await import('./organization.ts')).suspendOrganization,
    },
    resume: {
      does: 'lift its suspension',
      flags: ['organization'],
      load: async () => (await import('./organization.ts')).resumeOrganization,
    },
    region: {
      does: 'move it to another region: its keys are refused everywhere else',
      flags: ['organization', 'newRegion'],
      load: async () => (await import('./organization.ts')).moveOrganization,
    },
    rename: {
      does: 'call it something else',
      flags: ['organization', 'name'],
      load: async () => (await import('./organization.ts')).renameOrganization,
    },
    limits: {
      does: 'what all its keys together may ask for; what is not given stays',
      flags: ['organization', ...LIMITS],
      load: async () => (await import('./organization.ts')).limitOrganization,
    },
    billing: {
      does: 'invoice it up to a credit limit, or have it prepay',
      flags: ['organization', 'creditLimit', 'termsDays'],
      load: async () => (await import('./organization.ts')).billOrganization,
    },
  },
  key: {
    create: {
      does: 'make an API key, which is shown this once',
      flags: ['organization', 'name', 'expires', ...LIMITS, 'monthlyCap'],
      load: async () => (await import('./key.ts')).createKey,
    },
    list: {
      does: "an organization's API keys",
      flags: ['organization'],
      load: async () => (await import('./key.ts')).listKeys,
    },
    limits: {
      does: 'what a key may ask for and spend; what is not given stays',
      flags: ['organization', 'key', ...LIMITS, 'monthlyCap'],
      load: async () => (await import('./key.ts')).limitKey,
    },
    revoke: {
      does: 'refuse a key from now on; it stays listed',
      flags: ['organization', 'key'],
      load: async () => (await import('./key.ts')).revokeKey,
    },
    delete: {
      does: 'revoke a key and take it off the list; its usage stays',
      flags: ['organization', 'key'],
      load: async () => (await import('./key.ts')).deleteKey,
    },
  },
  credit: {
    show: {
      does: 'balance, what running requests hold of it, and what is available',
      flags: ['organization'],
      load: async () => (await import('./credit.ts')).showCredit,
    },
    adjust: {
      does: 'add credit, or take some',
      flags: ['organization', 'amount', 'reason', 'idempotencyKey'],
      load: async () => (await import('./credit.ts')).adjustCredit,
    },
  },
  invoice: {
    list: {
      does: "an organization's invoices, or those of all",
      flags: ['organization', 'status'],
      load: async () => (await import('./invoice.ts')).listInvoices,
    },
    show: {
      does: 'an invoice with its lines',
      flags: ['organization', 'invoice'],
      load: async () => (await import('./invoice.ts')).showInvoice,
    },
    paid: {
      does: 'mark an invoice as paid: its amount is credited, once',
      flags: ['organization', 'invoice', 'reference', 'idempotencyKey'],
      load: async () => (await import('./invoice.ts')).payInvoice,
    },
    void: {
      does: 'withdraw an invoice: its amount is brought forward to the next one',
      flags: ['organization', 'invoice', 'reason', 'idempotencyKey'],
      load: async () => (await import('./invoice.ts')).voidInvoice,
    },
  },
  payment: {
    list: {
      does: "an organization's payments, and what became of them",
      flags: ['organization'],
      load: async () => (await import('./payment.ts')).listPayments,
    },
    refund: {
      does: 'pay one back, or a part of it: it leaves the balance at once',
      flags: ['organization', 'payment', 'part', 'reason', 'idempotencyKey'],
      load: async () => (await import('./payment.ts')).refundPayment,
    },
  },
  rate: {
    set: {
      does: 'agree a price with an organization for a model, from its next request on',
      flags: ['organization', 'model', 'prompt', 'completion', 'inputCacheRead'],
      load: async () => (await import('./rate.ts')).setRate,
    },
    remove: {
      does: "back to the catalog's price",
      flags: ['organization', 'model'],
      load: async () => (await import('./rate.ts')).removeRate,
    },
    list: {
      does: 'the prices that were agreed with an organization',
      flags: ['organization'],
      load: async () => (await import('./rate.ts')).listRates,
    },
  },
  token: {
    create: {
      does: 'make a management token for scripts, which is shown this once',
      flags: ['organization', 'name', 'role', 'expires'],
      load: async () => (await import('./token.ts')).createToken,
    },
    list: {
      does: "an organization's management tokens",
      flags: ['organization'],
      load: async () => (await import('./token.ts')).listTokens,
    },
    revoke: {
      does: 'refuse a management token from now on',
      flags: ['organization', 'token'],
      load: async () => (await import('./token.ts')).revokeToken,
    },
  },
  model: {
    list: {
      does: 'the catalog, with what an organization is billed',
      flags: ['organization'],
      load: async () => (await import('./model.ts')).listModels,
    },
  },
  usage: {
    list: {
      does: 'every request of an organization',
      flags: ['organization'],
      load: async () => (await import('./usage.ts')).listUsage,
    },
  },
  agent: {
    enrol: {
      does: 'add an agent, and get the token with which it joins',
      flags: ['name', 'region'],
      load: async () => (await import('./agent.ts')).enrolAgent,
    },
    list: {
      does: 'all agents',
      flags: [],
      load: async () => (await import('./agent.ts')).listAgents,
    },
    report: {
      does: 'tokens and revenue by day, agent and model, of all agents or of one',
      flags: ['agent', 'from', 'to', 'csv'],
      load: async () => (await import('./agent.ts')).reportAgents,
    },
    drain: {
      does: 'give none of its workers new requests, until it is started anew',
      flags: ['agent'],
      load: async () => (await import('./agent.ts')).drainAgent,
    },
    revoke: {
      does: 'shut an agent out for good; its session ends',
      flags: ['agent'],
      load: async () => (await import('./agent.ts')).revokeAgent,
    },
  },
  audit: {
    list: {
      does: 'who changed what, and from where, newest first',
      flags: ['organization', 'actor', 'action'],
      load: async () => (await import('./audit.ts')).listAudit,
    },
  },
  invitation: {
    create: {
      does: 'invite somebody into an organization by email; the link is shown this once',
      flags: ['organization', 'email', 'role'],
      load: async () => (await import('./member.ts')).invite,
    },
  },
  member: {
    list: {
      does: 'who belongs to an organization',
      flags: ['organization'],
      load: async () => (await import('./member.ts')).listMembers,
    },
    role: {
      does: "change a member's role",
      flags: ['organization', 'member', 'role'],
      load: async () => (await import('./member.ts')).changeRole,
    },
    remove: {
      does: 'remove a member; the keys they made stay',
      flags: ['organization', 'member'],
      load: async () => (await import('./member.ts')).removeMember,
    },
  },
  router: {
    list: {
      does: 'the routers that run on this store',
      flags: [],
      load: async () => (await import('./router.ts')).listRouters,
    },
  },
  person: {
    list: {
      does: 'people, by a part of their name or address',
      flags: ['search'],
      load: async () => (await import('./person.ts')).listPeople,
    },
    link: {
      does: 'make a link for somebody whom no letter reaches, which is shown this once',
      flags: ['email', 'purpose'],
      load: async () => (await import('./person.ts')).linkPerson,
    },
    'lift-second-factor': {
      does: 'remove the second factor of somebody who has lost it',
      flags: ['person'],
      load: async () => (await import('./person.ts')).liftSecondFactor,
    },
  },
  operator: OPERATOR,
  worker: {
    list: {
      does: 'the engines that have a link to this router',
      flags: [],
      load: async () => (await import('./worker.ts')).listWorkers,
    },
    drain: {
      does: 'give a worker no new requests',
      flags: ['worker'],
      load: async () => (await import('./worker.ts')).drainWorker,
    },
  },
};

export function addAdmin(program: Command): void {
  const admin = withCommonFlags(program.command('admin')).description(
    'what an operator does, over the management API; needs PENSTOCK_OPERATOR_TOKEN',
  );
  for (const [resource, verbs] of Object.entries(RESOURCES)) {
    const group = admin.command(resource).description(Object.keys(verbs).join(', '));
    for (const [verb, { does, flags, load }] of Object.entries(verbs)) {
      const command = withCommonFlags(group.command(verb)).description(does);
      for (const flag of flags) {
        const [syntax, meaning] = FLAGS[flag];
        command.option(syntax, meaning);
      }
      command.action(async (_flags, self: Command) => {
        const run = await load();
        await run(self.optsWithGlobals());
      });
    }
  }
}

/** Adds flags that are accepted before the resource as well as after the verb. */
function withCommonFlags(command: Command): Command {
  return command
    .option('--url <ORIGIN>', 'where the router is; http://127.0.0.1:8080 if not given')
    .option('--json', 'print JSON');
}
