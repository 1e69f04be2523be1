/**
 * A separate process for all hostile clients and rogue hosts, so that their work does not delay the
 * process that measures. It has the lowest priority, so that it takes no CPU time from the service;
 * in reality attackers have machines of their own. The message `Attack` starts it. The message
 * `stop` ends it, and it reports what it did.
 */
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../../shared/random.ts';
import { type Client, clientActs, type Prey } from './clients.ts';
import { runRogue } from './rogues.ts';

export type Attack = Readonly<{
  prey: Prey;
  clients: number;
  joinTokens: readonly string[];
  seed: number;
}>;
export type Attacked = Readonly<{
  /**
   * Acts that were begun, the number of different acts, and how many acts ended with a connection
   * error.
   */
  acts: number;
  kinds: number;
  failed: number;
  /** Sessions of rogue hosts that the router ended. */
  ended: number;
}>;

const LOWEST_PRIORITY = 19;
const BETWEEN_ACTS_MS = 500;

setPriority(LOWEST_PRIORITY);
const seen = { acts: 0, kinds: 0, failed: 0, ended: 0 };

process.on('disconnect', () => process.exit(0));
process.on('message', (message: Attack | 'stop') => {
  if (message !== 'stop') return void attack(message);
  // Acts in progress end with this process.
  process.send?.(seen satisfies Attacked, () => process.exit(0));
});

async function attack({ prey, clients, joinTokens, seed }: Attack): Promise<void> {
  const random = seededRandom(seed);
  const acts = Object.values(clientActs(prey));
  seen.kinds = acts.length;
  const actForEver = async (client: Client) => {
    for (;;) {
      // In turn rather than at random, so that all acts are played equally often.
      const act = acts[seen.acts++ % acts.length];
      await act?.(client).catch(() => {
        // The router refused the connection at once.
        seen.failed += 1;
      });
      await pause(random.below(BETWEEN_ACTS_MS));
    }
  };
  await Promise.all([
    ...joinTokens.map((joinToken) =>
      runRogue({ origin: prey.origin, joinToken, model: prey.roguesModel, random }, () => {
        seen.ended += 1;
      }),
    ),
    ...Array.from({ length: clients }, (_, nth) =>
      // Each client has an address of its own, as strangers do.
      actForEver({ prey, random, from: `127.0.2.${nth + 1}` }),
    ),
  ]);
}
