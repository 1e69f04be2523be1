/** The commands of `penstock admin`, as a table. A command's code is loaded when it runs. */
import type { Command } from 'commander';
import { OPERATOR } from './operator-words.ts';

const FLAGS = {
  organization: ['--organization <ID>', "the organization's id"],
  key: ['--key <ID>', "the API key's id"],
  agent: ['--agent <ID>', "the agent's id"],
  payment: ['--payment <ID>', "the payment's id"],
  person: ['--person <ID>', "the person's id"],
  worker: ['--worker <ID>', "the worker's id: <agent id>/<engine name>"],
  name: ['--name <TEXT>', 'the name'],
  region: ['--region <REGION>', 'global, us or eu (default: global)'],
  newRegion: ['--region <REGION>', 'the new region: global, us or eu'],
  termsDays: ['--terms-days <N>', 'the days to pay an invoice in (default: as before, or 30)'],
  creditLimit: ['--credit-limit <USD>', 'how far below 0 the balance may go; none: prepaid'],
  requestsPerMinute: ['--requests-per-minute <N>', "a number, or default: the router's setting"],
  tokensPerMinute: ['--tokens-per-minute <N>', 'prompt plus completion: a number, or default'],
  concurrentRequests: ['--concurrent-requests <N>', 'a number, or default'],
  expires: ['--expires <INSTANT>', 'the expiry, such as 2027-01-31T00:00:00Z (default: never)'],
  token: ['--token <ID>', "the management token's id"],
  role: ['--role <ROLE>', 'org-admin, billing-admin, developer or viewer'],
  monthlyCap: ['--monthly-cap <USD>', 'the most to spend in a calendar month (UTC), or none'],
  model: ['--model <ID>', "the model's id in the catalog"],
  prompt: ['--prompt <USD>', 'the price of a prompt token'],
  completion: ['--completion <USD>', 'the price of a completion token'],
  inputCacheRead: ['--input-cache-read <USD>', 'the price of a prompt token from a cache'],
  from: ['--from <DAY>', 'first day (UTC), such as 2026-11-21 (default: the first of this month)'],
  to: ['--to <DAY>', 'last day (UTC) (default: today)'],
  csv: ['--csv', 'print CSV'],
  actor: ['--actor <ID>', 'the id of the person or the management token that acted'],
  action: ['--action <NAME>', 'an action such as key.create, or key for all actions on keys'],
  email: ['--email <ADDRESS>', 'the email address'],
  member: ['--member <ID>', "the member's id"],
  search: ['--search <TEXT>', "an id, or a part of a name or of a member's email address"],
  amount: ['--amount <USD>', 'the amount to add, or to deduct if it is negative: 5, -2.5'],
  part: ['--amount <USD>', 'the amount to refund (default: all that is left of the payment)'],
  reason: ['--reason <TEXT>', 'the reason, which is stored with the change'],
  purpose: ['--purpose <PURPOSE>', 'reset-password or confirm-email'],
  invoice: ['--invoice <ID>', "the invoice's id"],
  status: ['--status <STATUS>', 'only invoices with this status: open, paid or void'],
  reference: ['--reference <TEXT>', 'the reference of the payment, such as a bank transfer'],
  idempotencyKey: [
    '--idempotency-key <KEY>',
    'the key that a failed command printed; a change that it made is not repeated',
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
      does: 'create an organization with the welcome credit',
      flags: ['name', 'region', 'idempotencyKey'],
      load: async () => (await import('./organization.ts')).createOrganization,
    },
    list: {
      does: 'list all organizations, or those that match a search',
      flags: ['search'],
      load: async () => (await import('./organization.ts')).listOrganizations,
    },
    show: {
      does: 'show an organization',
      flags: ['organization'],
      load: async () => (await import('./organization.ts')).showOrganization,
    },
    suspend: {
      does: 'refuse all new requests of an organization, and stop those in flight',
      flags: ['organization'],
      load: async () => (await import('./organization.ts')).suspendOrganization,
    },
    resume: {
      does: 'lift the suspension of an organization',
      flags: ['organization'],
      load: async () => (await import('./organization.ts')).resumeOrganization,
    },
    region: {
      does: 'move an organization to another region; all other regions then refuse its keys',
      flags: ['organization', 'newRegion'],
      load: async () => (await import('./organization.ts')).moveOrganization,
    },
    rename: {
      does: 'rename an organization',
      flags: ['organization', 'name'],
      load: async () => (await import('./organization.ts')).renameOrganization,
    },
    limits: {
      does: 'set the rate limits for all its keys together; limits that are not given stay',
      flags: ['organization', ...LIMITS],
      load: async () => (await import('./organization.ts')).limitOrganization,
    },
    billing: {
      does: 'invoice an organization up to a credit limit, or make it prepay',
      flags: ['organization', 'creditLimit', 'termsDays'],
      load: async () => (await import('./organization.ts')).billOrganization,
    },
  },
  key: {
    create: {
      does: 'create an API key, which is shown only once',
      flags: ['organization', 'name', 'expires', ...LIMITS, 'monthlyCap'],
      load: async () => (await import('./key.ts')).createKey,
    },
    list: {
      does: "list an organization's API keys",
      flags: ['organization'],
      load: async () => (await import('./key.ts')).listKeys,
    },
    limits: {
      does: 'set the limits and the monthly cap of a key; those that are not given stay',
      flags: ['organization', 'key', ...LIMITS, 'monthlyCap'],
      load: async () => (await import('./key.ts')).limitKey,
    },
    revoke: {
      does: 'revoke a key; it stays in the list',
      flags: ['organization', 'key'],
      load: async () => (await import('./key.ts')).revokeKey,
    },
    delete: {
      does: 'revoke a key and remove it from the list; its usage stays',
      flags: ['organization', 'key'],
      load: async () => (await import('./key.ts')).deleteKey,
    },
  },
  credit: {
    show: {
      does: 'show the balance, what running requests hold of it, and what is available',
      flags: ['organization'],
      load: async () => (await import('./credit.ts')).showCredit,
    },
    adjust: {
      does: 'add or deduct credit',
      flags: ['organization', 'amount', 'reason', 'idempotencyKey'],
      load: async () => (await import('./credit.ts')).adjustCredit,
    },
  },
  invoice: {
    list: {
      does: "list an organization's invoices, or those of all organizations",
      flags: ['organization', 'status'],
      load: async () => (await import('./invoice.ts')).listInvoices,
    },
    show: {
      does: 'show an invoice with its lines',
      flags: ['organization', 'invoice'],
      load: async () => (await import('./invoice.ts')).showInvoice,
    },
    paid: {
      does: 'mark an invoice as paid; its amount is credited once',
      flags: ['organization', 'invoice', 'reference', 'idempotencyKey'],
      load: async () => (await import('./invoice.ts')).payInvoice,
    },
    void: {
      does: 'void an invoice; its amount is brought forward to the next invoice',
      flags: ['organization', 'invoice', 'reason', 'idempotencyKey'],
      load: async () => (await import('./invoice.ts')).voidInvoice,
    },
  },
  payment: {
    list: {
      does: "list an organization's payments and their states",
      flags: ['organization'],
      load: async () => (await import('./payment.ts')).listPayments,
    },
    refund: {
      does: 'refund a payment or a part of it; the amount leaves the balance at once',
      flags: ['organization', 'payment', 'part', 'reason', 'idempotencyKey'],
      load: async () => (await import('./payment.ts')).refundPayment,
    },
  },
  rate: {
    set: {
      does: "set an organization's own price for a model, from its next request on",
      flags: ['organization', 'model', 'prompt', 'completion', 'inputCacheRead'],
      load: async () => (await import('./rate.ts')).setRate,
    },
    remove: {
      does: "remove an agreed price; the catalog's price applies again",
      flags: ['organization', 'model'],
      load: async () => (await import('./rate.ts')).removeRate,
    },
    list: {
      does: 'list the prices that were agreed with an organization',
      flags: ['organization'],
      load: async () => (await import('./rate.ts')).listRates,
    },
  },
  token: {
    create: {
      does: 'create a management token for scripts, which is shown only once',
      flags: ['organization', 'name', 'role', 'expires'],
      load: async () => (await import('./token.ts')).createToken,
    },
    list: {
      does: "list an organization's management tokens",
      flags: ['organization'],
      load: async () => (await import('./token.ts')).listTokens,
    },
    revoke: {
      does: 'revoke a management token',
      flags: ['organization', 'token'],
      load: async () => (await import('./token.ts')).revokeToken,
    },
  },
  model: {
    list: {
      does: 'list the catalog with the prices that an organization is billed',
      flags: ['organization'],
      load: async () => (await import('./model.ts')).listModels,
    },
  },
  usage: {
    list: {
      does: 'list every request of an organization',
      flags: ['organization'],
      load: async () => (await import('./usage.ts')).listUsage,
    },
  },
  agent: {
    enrol: {
      does: 'add an agent and print the token with which it joins',
      flags: ['name', 'region'],
      load: async () => (await import('./agent.ts')).enrolAgent,
    },
    list: {
      does: 'list all agents',
      flags: [],
      load: async () => (await import('./agent.ts')).listAgents,
    },
    report: {
      does: 'list tokens and revenue by day, agent and model, for all agents or for one',
      flags: ['agent', 'from', 'to', 'csv'],
      load: async () => (await import('./agent.ts')).reportAgents,
    },
    drain: {
      does: 'send no new requests to the workers of an agent until the agent restarts',
      flags: ['agent'],
      load: async () => (await import('./agent.ts')).drainAgent,
    },
    revoke: {
      does: 'revoke an agent permanently; its session ends',
      flags: ['agent'],
      load: async () => (await import('./agent.ts')).revokeAgent,
    },
  },
  audit: {
    list: {
      does: 'list who changed what, and from where, newest first',
      flags: ['organization', 'actor', 'action'],
      load: async () => (await import('./audit.ts')).listAudit,
    },
  },
  invitation: {
    create: {
      does: 'invite somebody into an organization by email; the link is shown only once',
      flags: ['organization', 'email', 'role'],
      load: async () => (await import('./member.ts')).invite,
    },
  },
  member: {
    list: {
      does: 'list the members of an organization',
      flags: ['organization'],
      load: async () => (await import('./member.ts')).listMembers,
    },
    role: {
      does: "change a member's role",
      flags: ['organization', 'member', 'role'],
      load: async () => (await import('./member.ts')).changeRole,
    },
    remove: {
      does: 'remove a member; the keys that they created stay',
      flags: ['organization', 'member'],
      load: async () => (await import('./member.ts')).removeMember,
    },
  },
  router: {
    list: {
      does: 'list the routers that run on this store',
      flags: [],
      load: async () => (await import('./router.ts')).listRouters,
    },
  },
  person: {
    list: {
      does: 'list people, by a part of their name or email address',
      flags: ['search'],
      load: async () => (await import('./person.ts')).listPeople,
    },
    link: {
      does: 'create a link for somebody whom no email reaches; it is shown only once',
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
      does: 'list the engines that are connected to this router',
      flags: [],
      load: async () => (await import('./worker.ts')).listWorkers,
    },
    drain: {
      does: 'send no new requests to a worker',
      flags: ['worker'],
      load: async () => (await import('./worker.ts')).drainWorker,
    },
  },
};

export function addAdmin(program: Command): void {
  const admin = withCommonFlags(program.command('admin')).description(
    'operate the platform over the management API; needs PENSTOCK_OPERATOR_TOKEN',
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
    .option('--url <ORIGIN>', 'the origin of the router (default: http://127.0.0.1:8080)')
    .option('--json', 'print JSON');
}
