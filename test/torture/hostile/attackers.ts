/**
 * A process of its own with all hostile clients and rogue hosts, so that what they do themselves takes no turn of who
 * measures, and at the lowest priority, so that their own work takes no processor from the service: elsewhere they would
 * have machines of their own. Told `Attack`, it begins; told anything else, it ends and says what it did.
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
  /** Acts that were begun, of so many kinds, and how many ended with an error of the connection. */
  acts: number;
  kinds: number;
  failed: number;
  /** Sessions of rogue hosts that the router has ended. */
  ended: number;
}>;

const LOWEST_PRIORITY = 19;
const BETWEEN_ACTS_MS = 500;

setPriority(LOWEST_PRIORITY);
const seen = { acts: 0, kinds: 0, failed: 0, ended: 0 };

process.on('disconnect', () => process.exit(0));
process.on('message', (message: Attack | 'stop') => {
  if (message !== 'stop') return void attack(message);
  // What is under way ends with this process.
  process.send?.(seen satisfies Attacked, () => process.exit(0));
});

async function attack({ prey, clients, joinTokens, seed }: Attack): Promise<void> {
  const random = seededRandom(seed);
  const acts = Object.values(clientActs(prey));
  seen.kinds = acts.length;
  const actForEver = async (client: Client) => {
    for (;;) {
      // In turn and not by chance, so that every act is played, and all of them equally often.
      const act = acts[seen.acts++ % acts.length];
      await act?.(client).catch(() => {
        // A connection that the router refused at once.
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
      // Each from an address of its own, as strangers are.
      actForEver({ prey, random, from: `127.0.2.${nth + 1}` }),
    ),
  ]);
}
