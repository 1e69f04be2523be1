/** Damage to transfers, usage, prices, rates and payments. See damage.ts. */
import type { Damage } from './damage.ts';

const TRANSFERS: readonly Damage[] = [
  [
    'a transfer gone',
    ({ settled }) => ({
      done: [`DELETE FROM transfers WHERE reference = '${settled}'`],
      said: [
        /balance 10439, but its transfers sum to 10500$/,
        /transfer_seq is 8, but transfers has 7 rows, numbered 1 to 8$/,
        new RegExp(
          `^usage ${settled}: settled at a cost of 61, but transfer trf_\\w+ does not match that$`,
        ),
        /^the platform's accounts gave 11500, but customers have 11439$/,
      ],
    }),
  ],
  [
    'a transfer changed, and the balance with it',
    ({ settled, organization }) => ({
      done: [
        `UPDATE transfers SET amount = amount - 1 WHERE reference = '${settled}'`,
        `UPDATE accounts SET balance = balance + 1 WHERE id = '${organization}'`,
      ],
      said: [new RegExp(`^usage ${settled}: settled at a cost of 61, but transfer`)],
    }),
  ],
  [
    'a charge made twice, and the balance with it',
    ({ settled, organization }) => ({
      done: [
        `INSERT INTO transfers SELECT 'trf_again', organization, 9, debit, credit, amount, kind,
           reference, reason, created FROM transfers WHERE reference = '${settled}'`,
        `UPDATE accounts SET balance = balance - 61, transfer_seq = 9 WHERE id = '${organization}'`,
      ],
      said: [
        new RegExp(`^transfer trf_again: usage ${settled} does not name this usage transfer$`),
      ],
    }),
  ],
  [
    'a transfer without its usage',
    ({ settled, organization }) => ({
      done: [
        `DELETE FROM usage WHERE request = '${settled}'`,
        `UPDATE usage SET seq = 1`,
        `UPDATE accounts SET usage_seq = 1 WHERE id = '${organization}'`,
        `UPDATE meters SET spent = 0`,
      ],
      said: [new RegExp(`^transfer trf_\\w+: usage ${settled} does not name this usage transfer$`)],
    }),
  ],
  [
    'a reversal gone',
    ({ voided, organization }) => ({
      done: [
        `DELETE FROM transfers WHERE kind = 'reversal'`,
        `UPDATE accounts SET balance = balance - 30, transfer_seq = 7 WHERE id = '${organization}'`,
      ],
      said: [
        new RegExp(
          `^usage ${voided}: voided at a cost of 0, but transfer trf_\\w+ does not match that$`,
        ),
      ],
    }),
  ],
  [
    'a reversal of what still counts as settled',
    ({ voided }) => ({
      done: [
        `UPDATE usage SET outcome = 'settled', cost = 30 WHERE request = '${voided}'`,
        `UPDATE meters SET spent = 91`,
      ],
      said: [
        new RegExp(
          `^transfer trf_\\w+_reversal: usage ${voided} does not name this reversal transfer$`,
        ),
        new RegExp(`^reversal of ${voided}: its cost is 30, which does not match its charge$`),
      ],
    }),
  ],
  [
    'a transfer the wrong way round',
    ({ organization }) => ({
      done: [
        `UPDATE transfers SET debit = credit, credit = debit
         WHERE kind = 'welcome' AND organization = '${organization}'`,
      ],
      said: [
        /balance 10439, but its transfers sum to -9999999989561$/,
        /: a welcome cannot move 5000000000000 from customer:org_\w+ to platform:promotions$/,
        /^the platform's accounts gave/,
      ],
    }),
  ],
  [
    'a transfer to an account that nobody knows',
    () => ({
      done: [`UPDATE transfers SET credit = 'platform:pocket' WHERE kind = 'usage'`],
      said: [
        /: a usage cannot move \d+ from customer:org_\w+ to platform:pocket$/,
        /: a usage cannot move \d+ from customer:org_\w+ to platform:pocket$/,
        /^the platform's accounts gave/,
      ],
    }),
  ],
  [
    'a sequence number',
    ({ organization }) => ({
      done: [`UPDATE transfers SET seq = 9 WHERE seq = 8 AND organization = '${organization}'`],
      said: [/transfer_seq is 8, but transfers has 8 rows, numbered 1 to 9$/],
    }),
  ],
];

const USAGE: readonly Damage[] = [
  [
    'tokens',
    ({ settled }) => ({
      done: [`UPDATE usage SET completion_tokens = 3 WHERE request = '${settled}'`],
      said: [new RegExp(`^usage ${settled}: cost 61, but at prc_\\w+ its tokens cost 81 `)],
    }),
  ],
  [
    'a voided row that costs',
    ({ voided }) => ({
      done: [`UPDATE usage SET cost = 30 WHERE request = '${voided}'`],
      said: [new RegExp(`^usage ${voided}: cost 30, but at prc_\\w+ its tokens cost`)],
    }),
  ],
  [
    'counts that contradict one another',
    ({ settled }) => ({
      done: [`UPDATE usage SET reasoning_tokens = 9 WHERE request = '${settled}'`],
      said: [new RegExp(`^usage ${settled}: its token counts contradict one another$`)],
    }),
  ],
  [
    'a price gone',
    ({ open, settled }) => ({
      done: [`DELETE FROM prices WHERE organization IS NULL`],
      said: [
        new RegExp(`^hold ${open}: there is no price prc_\\w+$`),
        new RegExp(`^usage ${settled}: there is no price prc_\\w+$`),
      ],
    }),
  ],
  [
    'the price of another model',
    ({ settled }) => ({
      done: [`UPDATE usage SET model = 'lab/other'`],
      said: [
        new RegExp(
          `^usage ${settled}: its model is lab/other, but price prc_\\w+ is for lab/model$`,
        ),
      ],
    }),
  ],
  [
    'a usage row gone, with its charge given back by hand',
    ({ settled, organization }) => ({
      done: [
        `DELETE FROM usage WHERE request = '${settled}'`,
        `DELETE FROM transfers WHERE reference = '${settled}'`,
        `UPDATE accounts SET balance = balance + 61 WHERE id = '${organization}'`,
        `UPDATE meters SET spent = 0`,
      ],
      said: [
        /transfer_seq is 8, but transfers has 7 rows, numbered 1 to 8$/,
        /usage_seq is 2, but usage has 1 rows, numbered 2 to 2$/,
      ],
    }),
  ],
  [
    "usage with another's key",
    ({ settled, other, otherKey }) => ({
      done: [
        `UPDATE usage SET key = '${otherKey}' WHERE request = '${settled}'`,
        `INSERT INTO meters SELECT '${otherKey}', '${other}', month, 61, 0, 0, 0, 0 FROM meters`,
        `UPDATE meters SET spent = 0 WHERE held > 0`,
      ],
      said: [
        new RegExp(
          `^usage: there are rows of org_\\w+ with key ${otherKey}, which belongs to ${other}$`,
        ),
      ],
    }),
  ],
];

const AGREED: readonly Damage[] = [
  [
    'a rate at no price',
    ({ organization }) => ({
      done: [`UPDATE rates SET price = 'prc_none'`],
      said: [new RegExp(`^rate of ${organization} for lab/model: there is no price prc_none$`)],
    }),
  ],
  [
    'a rate at the price of another model',
    () => ({
      done: [`UPDATE rates SET model = 'lab/other'`],
      said: [/^rate of org_\w+ for lab\/other: price prc_\w+ is for lab\/model and org_\w+$/],
    }),
  ],
  [
    "a rate at another's price, or at everybody's",
    ({ other }) => ({
      done: [
        `UPDATE rates SET organization = '${other}'`,
        `INSERT INTO rates SELECT p2.organization, p1.model, p1.id, 1
         FROM prices p1, prices p2 WHERE p1.organization IS NULL AND p2.organization IS NOT NULL`,
      ],
      said: [
        new RegExp(
          `^rate of ${other} for lab/model: price prc_\\w+ is for lab/model and org_\\w+$`,
        ),
        /^rate of org_\w+ for lab\/model: price prc_\w+ is for lab\/model and all organizations$/,
      ],
    }),
  ],
  [
    'an event without its transfer',
    () => ({
      done: [`INSERT INTO payment_events VALUES ('stripe', 'evt_2', 'trf_none', 1)`],
      said: [/^event evt_2 of stripe: there is no transfer trf_none$/],
    }),
  ],
  [
    'an event with a transfer that it cannot have made',
    ({ refund }) => ({
      done: [`INSERT INTO payment_events VALUES ('stripe', 'evt_2', '${refund}', 1)`],
      said: [
        new RegExp(`^event evt_2 of stripe: transfer ${refund} is a refund, which no event makes$`),
      ],
    }),
  ],
  [
    'a payment that no event told of',
    ({ payment }) => ({
      done: [`DELETE FROM payment_events`],
      said: [new RegExp(`^transfer ${payment}: no event reported this payment$`)],
    }),
  ],
  [
    'two events of one payment',
    ({ payment }) => ({
      done: [`INSERT INTO payment_events VALUES ('stripe', 'evt_2', '${payment}', 1)`],
      said: [new RegExp(`^transfer ${payment}: 2 events made it$`)],
    }),
  ],
  [
    'a refund that came back without having been made',
    ({ refund, returned }) => ({
      done: [`UPDATE transfers SET id = 'trf_another' WHERE id = '${refund}'`],
      said: [
        new RegExp(
          `^transfer ${returned}: its refund ${refund} does not explain this refund_reversal$`,
        ),
      ],
    }),
  ],
];

const PAYMENTS: readonly Damage[] = [
  [
    'a payment of which more was paid than was credited',
    ({ payment }) => ({
      done: [`UPDATE payments SET paid = 501`],
      said: [
        new RegExp(
          `^payment pay_1: succeeded with 501 paid, but transfer ${payment} does not match that$`,
        ),
      ],
    }),
  ],
  [
    'a payment that succeeded and was never credited',
    () => ({
      done: [`UPDATE payments SET paid = NULL, transfer = NULL`],
      said: [/^payment pay_1: succeeded with nothing paid, but transfer null does not match that$/],
    }),
  ],
  [
    'a receipt without the one before it',
    ({ organization }) => ({
      done: [`UPDATE payments SET receipt = 2`],
      said: [
        new RegExp(`^receipts of ${organization}: there are 1, but they are numbered 2 to 2$`),
      ],
    }),
  ],
  [
    'a refund that took nothing',
    ({ organization }) => ({
      done: [
        `INSERT INTO refunds (id, payment, organization, amount, state, taken_as, reason, created)
         VALUES ('trf_none', 'pay_1', '${organization}', 5, 'pending', 'asked', '', 1)`,
      ],
      said: [
        /^refund trf_none: pending with an amount of 5, but its transfers do not match that$/,
        /^payment pay_1: 0 was refunded of it, but its refunds sum to 5$/,
      ],
    }),
  ],
  [
    'a refund that is said to have been paid out, and came back',
    ({ organization, refund }) => ({
      done: [
        `INSERT INTO refunds (id, payment, organization, amount, state, taken_as, reason, created)
         VALUES ('${refund}', 'pay_1', '${organization}', 300, 'succeeded', 'asked', '', 1)`,
        `UPDATE payments SET refunded = 300`,
      ],
      said: [
        new RegExp(
          `^refund ${refund}: succeeded with an amount of 300, but its transfers do not match that$`,
        ),
      ],
    }),
  ],
  [
    'a recharge that waits for a payment that has ended',
    ({ organization }) => ({
      done: [
        `INSERT INTO recharges (organization, enabled, threshold, amount, payment)
         VALUES ('${organization}', 1, 1, 1, 'pay_1')`,
      ],
      said: [new RegExp(`^recharge of ${organization}: its payment pay_1 is not in progress$`)],
    }),
  ],
];

export const MOVED: readonly Damage[] = [...TRANSFERS, ...USAGE, ...AGREED, ...PAYMENTS];
