/**
 * Every kind of damage that `penstock ledger verify` finds: the change to the tables, and the
 * expected message.
 */
import type { Books } from '../ledger/books.ts';
import { MOVED } from './damage-moved.ts';

export type Damage = readonly [
  what: string,
  damage: (books: Books) => { done: readonly string[]; said: readonly RegExp[] },
];

const ACCOUNTS: readonly Damage[] = [
  [
    'a balance',
    ({ organization }) => ({
      done: [`UPDATE accounts SET balance = balance + 1 WHERE id = '${organization}'`],
      said: [
        new RegExp(`^account ${organization}: balance 10440, but its transfers sum to 10439$`),
        /^the platform's accounts gave 11439, but customers have 11440$/,
      ],
    }),
  ],
  [
    'a held amount',
    ({ organization }) => ({
      done: [`UPDATE accounts SET held = held - 1 WHERE id = '${organization}'`],
      said: [/held is 99, reserve is 40 and open is 1, but its 1 open holds sum to 100 and 40$/],
    }),
  ],
  [
    'a reserve',
    () => ({
      done: [`UPDATE accounts SET reserve = 0`],
      said: [/held is 100, reserve is 0 and open is 1, but its 1 open holds sum to 100 and 40$/],
    }),
  ],
  [
    'a count of open holds',
    ({ organization }) => ({
      done: [`UPDATE accounts SET open = 2 WHERE id = '${organization}'`],
      said: [/held is 100, reserve is 40 and open is 2, but its 1 open holds sum to 100 and 40$/],
    }),
  ],
  [
    'a balance below its floor',
    () => ({
      done: [
        `UPDATE holds SET amount = 20000`,
        `UPDATE accounts SET held = 20000 WHERE held > 0`,
        `UPDATE meters SET held = 20000 WHERE held > 0`,
      ],
      said: [/balance 10439 less 20000 held is below its floor 0$/],
    }),
  ],
  [
    'the floor of who prepays',
    ({ other }) => ({
      done: [`UPDATE accounts SET floor = -5 WHERE id = '${other}'`],
      said: [
        new RegExp(
          `^account ${other}: its floor is -5, but it is prepaid with a credit limit of 0$`,
        ),
      ],
    }),
  ],
  [
    'the floor of who is invoiced',
    ({ other }) => ({
      done: [
        `UPDATE organizations SET billing = 'invoiced', credit_limit = 70 WHERE id = '${other}'`,
      ],
      said: [
        /its floor is 0, but it is invoiced with a credit limit of 70$/,
        new RegExp(`^organization ${other}: it is invoiced, but has 0 open invoicing stretches$`),
      ],
    }),
  ],
  [
    'an account gone',
    ({ organization }) => ({
      done: [`DELETE FROM accounts WHERE id = '${organization}'`],
      said: [
        new RegExp(`^organization ${organization} has no account$`),
        /^transfers: there are rows of org_\w+, which has no account$/,
        /^usage: there are rows of org_\w+, which has no account$/,
        /^holds: there are rows of org_\w+, which has no account$/,
        /^the platform's accounts gave 11439, but customers have 1000$/,
      ],
    }),
  ],
  [
    'an organization gone, with keys and rates',
    ({ organization }) => ({
      done: [`DELETE FROM organizations WHERE id = '${organization}'`],
      said: [
        new RegExp(`^account ${organization} has no organization$`),
        new RegExp(`^keys: there are rows of ${organization}, which is not an organization$`),
        new RegExp(`^rates: there are rows of ${organization}, which is not an organization$`),
      ],
    }),
  ],
];

const HOLDS: readonly Damage[] = [
  [
    'a hold gone',
    ({ key }) => ({
      done: [`DELETE FROM holds`],
      said: [
        /held is 100, reserve is 40 and open is 1, but its 0 open holds sum to 0 and 0$/,
        new RegExp(`^meter of ${key}: held is 100 and open is 1, but its 0 open holds sum to 0$`),
      ],
    }),
  ],
  [
    'a hold of nobody',
    ({ open }) => ({
      done: [`DELETE FROM incarnations`],
      said: [new RegExp(`^hold ${open}: its incarnation rtr_\\w+ is not known$`)],
    }),
  ],
  [
    'a hold at no price',
    ({ open }) => ({
      done: [`UPDATE holds SET price = 'prc_none'`],
      said: [new RegExp(`^hold ${open}: there is no price prc_none$`)],
    }),
  ],
  [
    "a hold at another's price",
    ({ open, other }) => ({
      done: [`UPDATE prices SET organization = '${other}' WHERE organization IS NULL`],
      said: [
        new RegExp(`^hold ${open}: its price prc_\\w+ was agreed with ${other}$`),
        new RegExp(`^usage req_\\w+: its price prc_\\w+ was agreed with ${other}$`),
        /^price prc_\w+: its id does not match its figures$/,
      ],
    }),
  ],
  [
    'a hold that counts for a member who did not create its key',
    ({ open }) => ({
      done: [`UPDATE holds SET member = 'mem_other'`],
      said: [
        new RegExp(
          `^hold ${open}: it counts for member mem_other, who has no cap or did not create its key$`,
        ),
      ],
    }),
  ],
  [
    'a hold of a request that has ended',
    ({ settled }) => ({
      done: [`UPDATE holds SET request = '${settled}'`],
      said: [new RegExp(`^hold ${settled} is open, though its request was settled$`)],
    }),
  ],
  [
    "a hold with another's key",
    ({ organization, other, otherKey }) => ({
      done: [
        `UPDATE holds SET key = '${otherKey}'`,
        `UPDATE meters SET held = 0, open = 0`,
        `INSERT INTO meters SELECT '${otherKey}', '${other}', month, 0, 100, 1, 0, 0 FROM meters`,
      ],
      said: [
        new RegExp(
          `^holds: there are rows of ${organization} with key ${otherKey}, which belongs to ${other}$`,
        ),
      ],
    }),
  ],
];

const METERS: readonly Damage[] = [
  [
    'what a key holds',
    ({ key }) => ({
      done: [`UPDATE meters SET held = 99`],
      said: [
        new RegExp(`^meter of ${key}: held is 99 and open is 1, but its 1 open holds sum to 100$`),
      ],
    }),
  ],
  [
    'how many holds a key has',
    ({ key }) => ({
      done: [`UPDATE meters SET open = 0`],
      said: [
        new RegExp(`^meter of ${key}: held is 100 and open is 0, but its 1 open holds sum to 100$`),
      ],
    }),
  ],
  [
    'a meter that has spent less than was charged',
    ({ key }) => ({
      done: [`UPDATE meters SET spent = 0`],
      said: [new RegExp(`^meter of ${key}: 0 spent in 2026-01, but its charges then sum to 61$`)],
    }),
  ],
  [
    'a meter that has spent more than was charged',
    () => ({
      done: [`UPDATE meters SET spent = 62`],
      said: [/62 spent in 2026-01, but its charges then sum to 61$/],
    }),
  ],
  [
    'a meter that has spent more before this day than was charged',
    ({ key }) => ({
      done: [`UPDATE meters SET before_day = 1 WHERE key = '${key}'`],
      said: [
        new RegExp(
          `^key ${key}: 1 spent before 2026-01-\\S+, but its charges before that sum to 0$`,
        ),
      ],
    }),
  ],
  [
    'a meter whose day begins at no instant that a clock has',
    ({ key }) => ({
      done: [
        `UPDATE meters SET before_day = 999999, day_from = 9000000000000000000 WHERE key = '${key}'`,
      ],
      said: [
        new RegExp(
          `^key ${key}: 999999 spent before 9000000000000000000 ms, but its charges before that sum to \\d+$`,
        ),
      ],
    }),
  ],
  [
    'a meter of a month that is over',
    ({ key }) => ({
      done: [`UPDATE meters SET month = month - 1`],
      said: [
        new RegExp(
          `^meter of ${key}: it is for 2025-12, but the key was charged in a later month$`,
        ),
      ],
    }),
  ],
  [
    'a meter of a month that has not come',
    () => ({
      done: [`UPDATE meters SET month = month + 1`],
      said: [/61 spent in 2026-02, but its charges then sum to 0$/],
    }),
  ],
  [
    'a meter of no month that has spent something',
    () => ({
      done: [`UPDATE meters SET month = 0`],
      said: [/61 spent in no month, but its charges then sum to 0$/],
    }),
  ],
  [
    'a meter gone',
    ({ key }) => ({
      done: [`DELETE FROM meters`],
      said: [
        new RegExp(`^key ${key} has open holds, but no meter$`),
        new RegExp(`^key ${key} has charges, but no meter$`),
      ],
    }),
  ],
  [
    "a meter of another's key",
    ({ key, organization, other }) => ({
      done: [`UPDATE meters SET organization = '${other}'`],
      said: [
        new RegExp(
          `^meters: there are rows of ${other} with key ${key}, which belongs to ${organization}$`,
        ),
      ],
    }),
  ],
];

const CLAIMS: readonly Damage[] = [
  [
    'a claim of a request that was not charged',
    ({ settled, voided }) => ({
      done: [
        `INSERT INTO idempotency_keys VALUES ('one', 'body', '${voided}', 1768000000000)`,
        `INSERT INTO idempotency_keys VALUES ('two', 'body', '${settled}', 1768000000000)`,
        `INSERT INTO idempotency_keys VALUES ('three', 'request', '{"id":"req_none"}', 1768000000000)`,
      ],
      said: [new RegExp(`^claim of ${voided}: its request was voided, and not charged$`)],
    }),
  ],
  [
    'a claim of a request that there never was',
    () => ({
      done: [`INSERT INTO idempotency_keys VALUES ('one', 'body', 'req_none', 1768000000000)`],
      said: [/^claim of req_none: its request was never recorded, and not charged$/],
    }),
  ],
];

export const DAMAGE = [...ACCOUNTS, ...HOLDS, ...METERS, ...CLAIMS, ...MOVED];
