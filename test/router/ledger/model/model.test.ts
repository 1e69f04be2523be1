/**
 * The model check of docs/money.md: two routers that crash, start and are wrongly declared dead any
 * number of times, and a store that crashes any number of times. Each scope is searched completely.
 *
 * Some events are not searched together. The webhook affects requests only through the balance, so
 * it is searched with two requests whose holds do not grow. The scope with three requests has
 * neither growing holds nor late messages; both are in the scope with two requests. In the scope in
 * which clients leave, there are two requests whose holds do not grow. Only the scope `fullSuffix`,
 * with two simple requests, includes everything that a crash of the store may lose. The other four
 * scopes were searched with `fullSuffix` once, by hand: 5,391,320 states (holds that grow), 856,909
 * (clients that leave), 1,813,602 (a webhook) and 7,744,129 (three requests), in 152, 33, 38 and
 * 267 s, without a violation.
 */
import { expect, test } from 'vitest';
import { explore } from './explore.ts';
import { CAUSES, FURTHER, LAW, REQUIRED } from './law.ts';
import type { Scope } from './state.ts';

const PLAIN: Scope = {
  requests: 2,
  start: 1,
  deliveries: 0,
  extensions: false,
  leaves: false,
  storeCrashes: true,
  looseMessages: false,
  fullSuffix: false,
};
const TWO: Scope = { ...PLAIN, start: 3, extensions: true, looseMessages: true };
/** Counterexamples are short, so the search for them can include all events at once. */
const ALL: Scope = { ...TWO, start: 1, deliveries: 2, leaves: true, fullSuffix: true };

/**
 * `states`: the number of states of each scope, so that a change of the model shows. `met`: the
 * steps that the search must have taken for its result to mean anything.
 */
const SCOPES = [
  {
    name: 'two requests, whose holds grow and whose messages arrive late',
    scope: TWO,
    states: 815_555,
    met: [
      'router is declared dead, and is not',
      'a sweep frees its hold',
      'its own router frees its hold',
      'its charge is refused',
      'its charge commits',
      'its settlement is carried out late',
      'its reservation is carried out late',
      'its void is carried out late',
      'its extension is granted, unheard',
      'more is asked for again',
      'its extension is denied',
      'its extension is gone',
      'the store crashes',
      'its final bytes go out',
    ],
  },
  {
    name: 'two requests, and whatever a crash of the store may take',
    scope: { ...PLAIN, fullSuffix: true },
    states: 113_487,
    met: ['its earlier incarnation is declared dead', 'the store crashes', 'its charge is refused'],
  },
  {
    name: 'two requests, whose clients may leave',
    scope: { ...PLAIN, leaves: true, looseMessages: true },
    states: 180_610,
    met: [
      'its client leaves before the first byte',
      'its client leaves after the first byte',
      'it is paid for',
      'its charge is a fault',
      'its charge is refused',
    ],
  },
  {
    name: 'two requests, and a webhook that comes twice',
    scope: { ...PLAIN, deliveries: 2 },
    states: 210_114,
    met: ['webhook’s answer is lost', 'webhook is acknowledged', 'its hold is refused'],
  },
  {
    name: 'three requests',
    scope: { ...PLAIN, requests: 3, start: 2 },
    states: 561_423,
    met: ['its hold is refused', 'its charge is refused', 'the store crashes'],
  },
] as const;

/** The largest scope takes half a minute alone, and minutes on a busy machine. */
const TIMEOUT_MS = 300_000;

for (const { name, scope, states, met } of SCOPES) {
  test(`MONEY, the model check: the law holds in every state of ${name}`, {
    timeout: TIMEOUT_MS,
  }, async (run) => {
    const explored = explore(LAW, scope);
    await run.annotate(`${explored.states} states, ${explored.atRest} of them at rest`);
    expect(explored.found).toBeNull();
    expect([...explored.steps]).toEqual(expect.arrayContaining([...met]));
    expect(explored.states).toBe(states);
  });
}

for (const { money, name, breaks, violates, atRest } of [...REQUIRED, ...CAUSES, ...FURTHER]) {
  test(`MONEY ${money}: the model catches ${name}`, { timeout: TIMEOUT_MS }, async (run) => {
    const { found, states } = explore({ ...LAW, [breaks]: false }, atRest ? PLAIN : ALL);
    const trace = found?.trace ?? [];
    await run.annotate([`found after ${states} states:`, ...trace].join('\n'));
    expect(found).toEqual({ violated: violates, trace });
  });
}
