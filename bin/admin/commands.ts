/** The commands of `penstock admin`, as a table. A command's code is loaded when it runs. */
import type { Command } from 'commander';

const FLAGS = {
  organization: ['--organization <ID>', "the organization's id"],
  key: ['--key <ID>', "the API key's id"],
  agent: ['--agent <ID>', "the agent's id"],
  payment: ['--payment <ID>', "the payment's id"],
  person: ['--person <ID>', "the person's id"],
  request: ['--request <ID>', 'the id of the request (req_…), or of its completion (chatcmpl-…)'],
  job: ['--job <ID>', "the job's id"],
  jobState: ['--state <STATE>', 'failed (given up, the default), waiting, running or done'],
  jobKind: ['--kind <KIND>', 'only jobs of this kind, such as letter or invoice'],
  worker: ['--worker <ID>', "the worker's id: <agent id>/<engine name>"],
  name: ['--name <TEXT>', 'the name'],
  region: ['--region <REGION>', 'global, us or eu (default: global)'],
  newRegion: ['--region <REGION>', 'the new region: global, us or eu'],
  termsDays: [
    '--terms-days <N>',
    'the number of days in which an invoice must be paid (default: as before, or 30)',
  ],
  creditLimit: [
    '--credit-limit <USD>',
    'how far below 0 the balance may go, or none to make the organization prepay',
  ],
  requestsPerMinute: [
    '--requests-per-minute <N>',
    "requests per minute: a number, or the word default for the router's setting",
  ],
  tokensPerMinute: [
    '--tokens-per-minute <N>',
    'prompt and completion tokens per minute: a number, or default',
  ],
  concurrentRequests: [
    '--concurrent-requests <N>',
    'requests in flight at once: a number, or default',
  ],
  expires: ['--expires <INSTANT>', 'the expiry, such as 2027-01-31T00:00:00Z (default: never)'],
  token: ['--token <ID>', "the management token's id"],
  role: ['--role <ROLE>', 'org-admin, billing-admin, developer or viewer'],
  monthlyCap: ['--monthly-cap <USD>', 'the most to spend in a calendar month (UTC), or none'],
  dailyCap: ['--daily-cap <USD>', 'the most to spend in a day (UTC), or none'],
  model: ['--model <ID>', "the model's id in the catalog"],
  models: ['--models <ID...>', 'the ids of the only models that the key may call, or all'],
  prompt: ['--prompt <USD>', 'the price of a prompt token'],
  completion: ['--completion <USD>', 'the price of a completion token'],
  inputCacheRead: ['--input-cache-read <USD>', 'the price of a prompt token from a cache'],
  from: ['--from <DAY>', 'first day (UTC), such as 2026-11-21 (default: the first of this month)'],
  to: ['--to <DAY>', 'last day (UTC) (default: today)'],
  csv: ['--csv', 'print CSV'],
  actor: ['--actor <ID...>', 'only what these people and management tokens did'],
  action: [
    '--action <NAME...>',
    'only these actions, such as key.create, or key for all actions on keys',
  ],
  except: ['--except <NAME...>', 'leave out these actions, such as session for all sign-ins'],
  target: ['--target <ID>', 'only what was done to the object with this id, such as key_…'],
  email: ['--email <ADDRESS>', 'the email address'],
  member: ['--member <ID>', "the member's id"],
  text: ['--text <TEXT>', 'the text of the note'],
  search: ['--search <TEXT>', "an id, or a part of a name or of a member's email address"],
  amount: ['--amount <USD>', 'the amount to add, or to deduct if it is negative: 5, -2.5'],
  part: ['--amount <USD>', 'the amount to refund (default: all that is left of the payment)'],
  reason: ['--reason <TEXT>', 'the reason, which is stored with the change'],
  purpose: ['--purpose <PURPOSE>', 'reset-password or confirm-email'],
  invoice: ['--invoice <ID>', "the invoice's id"],
  status: ['--status <STATUS>', 'only invoices with this status: open, paid or void'],
  reference: ['--reference <TEXT>', 'the reference of the payment, such as a bank transfer'],
  paidOn: ['--paid-on <DAY>', 'the day of the payment in UTC, such as 2026-12-02 (default: today)'],
  idempotencyKey: [
    '--idempotency-key <KEY>',
    'the key that a failed command printed; if that command made the change after all, it is not made again',
  ],
} as const;

const LIMITS = ['requestsPerMinute', 'tokensPerMinute', 'concurrentRequests'] as const;

type Action = (flags: object) => Promise<void>;

/** What a command does, and the flags that it takes. */
type Verb = readonly [does: string, flags: readonly (keyof typeof FLAGS)[]];

type Resource = Readonly<{
  verbs: Readonly<Record<string, Verb>>;
  load: () => Promise<Readonly<Record<string, Action>>>;
}>;

/** Declares the commands of a resource. `load` imports an action for each of them. */
function resource<Name extends string>(
  load: () => Promise<Readonly<Record<Name, Action>>>,
  verbs: Readonly<Record<NoInfer<Name>, Verb>>,
): Resource {
  return { verbs, load };
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  organization: resource(async () => (await import('./organization.ts')).organizations, {
    create: [
      'create an organization with the welcome credit',
      ['name', 'region', 'idempotencyKey'],
    ],
    list: ['list all organizations, or those that match a search', ['search']],
    show: ['show an organization', ['organization']],
    suspend: [
      'refuse all new requests of an organization, and stop those in flight',
      ['organization'],
    ],
    resume: ['lift the suspension of an organization', ['organization']],
    region: [
      'move an organization to another region; all other regions then refuse its keys',
      ['organization', 'newRegion'],
    ],
    rename: ['rename an organization', ['organization', 'name']],
    limits: [
      'set the rate limits of an organization, for all its keys together; limits that are not given stay',
      ['organization', ...LIMITS],
    ],
    billing: [
      'invoice an organization up to a credit limit, or make it prepay',
      ['organization', 'creditLimit', 'termsDays'],
    ],
  }),
  key: resource(async () => (await import('./key.ts')).keys, {
    create: [
      'create an API key, which is shown only once',
      ['organization', 'name', 'expires', ...LIMITS, 'monthlyCap', 'dailyCap', 'models'],
    ],
    list: ["list an organization's API keys", ['organization']],
    limits: [
      'set the limits, the caps and the models of a key; those that are not given stay',
      ['organization', 'key', ...LIMITS, 'monthlyCap', 'dailyCap', 'models'],
    ],
    revoke: ['revoke a key; it stays in the list', ['organization', 'key']],
    delete: ['revoke a key and remove it from the list; its usage stays', ['organization', 'key']],
  }),
  credit: resource(async () => (await import('./credit.ts')).credit, {
    show: [
      'show the balance, the part that running requests hold, and the part that is available',
      ['organization'],
    ],
    adjust: ['add or deduct credit', ['organization', 'amount', 'reason', 'idempotencyKey']],
  }),
  invoice: resource(async () => (await import('./invoice.ts')).invoices, {
    list: [
      "list an organization's invoices, or those of all organizations",
      ['organization', 'status'],
    ],
    show: ['show an invoice with its lines', ['organization', 'invoice']],
    next: ['show what the next invoice of an organization has so far', ['organization']],
    paid: [
      'mark an invoice as paid; its amount is credited once',
      ['organization', 'invoice', 'reference', 'paidOn', 'idempotencyKey'],
    ],
    send: [
      'send the email of an invoice again, to the members who manage billing',
      ['organization', 'invoice', 'idempotencyKey'],
    ],
    void: [
      'void an invoice; its amount is brought forward to the next invoice',
      ['organization', 'invoice', 'reason', 'idempotencyKey'],
    ],
  }),
  payment: resource(async () => (await import('./payment.ts')).payments, {
    list: ["list an organization's payments and their states", ['organization']],
    refund: [
      'refund a payment or a part of it; the amount leaves the balance at once',
      ['organization', 'payment', 'part', 'reason', 'idempotencyKey'],
    ],
  }),
  rate: resource(async () => (await import('./rate.ts')).rates, {
    set: [
      "set an organization's own price for a model, from its next request on",
      ['organization', 'model', 'prompt', 'completion', 'inputCacheRead'],
    ],
    remove: [
      "remove an agreed price; the catalog's price applies again",
      ['organization', 'model'],
    ],
    list: ['list the prices that were agreed with an organization', ['organization']],
  }),
  token: resource(async () => (await import('./token.ts')).tokens, {
    create: [
      'create a management token for scripts, which is shown only once',
      ['organization', 'name', 'role', 'expires'],
    ],
    list: ["list an organization's management tokens", ['organization']],
    revoke: ['revoke a management token', ['organization', 'token']],
  }),
  model: resource(async () => (await import('./model.ts')).models, {
    list: ['list the catalog with the prices that an organization is billed', ['organization']],
  }),
  usage: resource(async () => (await import('./usage.ts')).usage, {
    list: ['list every request of an organization', ['organization']],
  }),
  request: resource(async () => (await import('./request.ts')).requests, {
    show: ['show a request of any organization, with its worker and its cost', ['request']],
  }),
  agent: resource(async () => (await import('./agent.ts')).agents, {
    enrol: ['add an agent and print the token with which it joins', ['name', 'region']],
    list: ['list all agents', []],
    report: [
      'list tokens and revenue by day, agent and model, for all agents or for one',
      ['agent', 'from', 'to', 'csv'],
    ],
    drain: [
      'send no new requests to the workers of an agent until the agent restarts',
      ['agent', 'reason'],
    ],
    undrain: ['send new requests to the drained workers of an agent again', ['agent']],
    events: ['list what happened to an agent and its workers, newest first', ['agent']],
    note: ['write a note on an agent, for other operators', ['agent', 'text']],
    revoke: ['revoke an agent permanently; its session ends', ['agent']],
  }),
  audit: resource(async () => (await import('./audit.ts')).audit, {
    list: [
      'list who changed what, and from where, newest first',
      ['organization', 'actor', 'action', 'except', 'target'],
    ],
  }),
  invitation: resource(async () => (await import('./member.ts')).invitations, {
    create: [
      'invite somebody into an organization by email; the link is shown only once',
      ['organization', 'email', 'role'],
    ],
  }),
  member: resource(async () => (await import('./member.ts')).members, {
    list: ['list the members of an organization', ['organization']],
    role: ["change a member's role", ['organization', 'member', 'role']],
    caps: [
      'cap what the keys of a member may spend together; caps that are not given stay',
      ['organization', 'member', 'monthlyCap', 'dailyCap'],
    ],
    remove: ['remove a member; the keys that they created stay', ['organization', 'member']],
  }),
  job: resource(async () => (await import('./job.ts')).jobs, {
    list: ['list background jobs in one state', ['jobState', 'jobKind']],
    retry: ['try a job again that has failed, but no charge or refund', ['job']],
  }),
  router: resource(async () => (await import('./router.ts')).routers, {
    list: ['list the routers that run on this store', []],
  }),
  person: resource(async () => (await import('./person.ts')).people, {
    list: ['list people, by a part of their name or email address', ['search']],
    link: [
      'create a link for somebody whom no email reaches; it is shown only once',
      ['email', 'purpose'],
    ],
    'lift-second-factor': ['remove the second factor of somebody who has lost it', ['person']],
    'end-sessions': ['end all sessions of a person', ['person']],
    lock: ['lock the account of a person, who then cannot sign in', ['person']],
    unlock: ['unlock the account of a person', ['person']],
  }),
  operator: resource(async () => (await import('./operator.ts')).operators, {
    create: [
      'create an operator; the password and the token are shown only once',
      ['email', 'name'],
    ],
    list: ['list the operators of the platform', []],
    revoke: ['revoke the operator role of a person', ['person']],
    'revoke-token': ["revoke an operator's token", ['person']],
    'rotate-token': ["replace an operator's token; the new one is shown only once", ['person']],
  }),
  worker: resource(async () => (await import('./worker.ts')).workers, {
    list: ['list the engines that are connected to this router', []],
    drain: ['send no new requests to a worker until its agent restarts', ['worker', 'reason']],
    undrain: ['send new requests to a drained worker again', ['worker']],
  }),
};

export function addAdmin(program: Command): void {
  const admin = withCommonFlags(program.command('admin')).description(
    'operate the platform over the management API; needs PENSTOCK_OPERATOR_TOKEN',
  );
  for (const [name, { verbs, load }] of Object.entries(RESOURCES)) {
    const group = admin.command(name).description(Object.keys(verbs).join(', '));
    for (const [verb, [does, flags]] of Object.entries(verbs)) {
      const command = withCommonFlags(group.command(verb)).description(does);
      for (const [syntax, meaning] of flags.map((flag) => FLAGS[flag])) {
        command.option(syntax, meaning);
      }
      command.action(async (_flags, self: Command) => {
        const actions = await load();
        await actions[verb]?.(self.optsWithGlobals());
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
