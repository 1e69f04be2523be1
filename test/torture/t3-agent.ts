/**
 * T3: an agent is killed with -9 while it streams. Its streams end without `[DONE]` and are not
 * charged, and none is retried on the other agent after its first byte.
 */
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Call } from '../support/client-log.ts';
import type { Fleet } from './fleet.ts';
import { MODEL, PRICE } from './load.ts';
import { costOf } from './oracle.ts';
import type { Process } from './process.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';

export async function killAgents(
  stage: Stage,
  { kills, streams }: Readonly<{ kills: number; streams: number }>,
): Promise<Outcome> {
  await using loan = await borrow(stage, { agents: 2, tokenMs: 3 });
  const { fleet } = loan;
  const { id, key } = await fleet.office.customer('T3', PICO_PER_USD);
  const faults: string[] = [];
  let cut = 0;
  for (let kill = 0; kill < kills; kill++) {
    const victim = fleet.agents[kill % fleet.agents.length];
    if (!victim) throw new Error('a fleet has agents');
    const { started } = await fleet.engine();
    const calls = await killUnder(fleet, victim, { key, streams });
    const lost = calls.filter((call) => call.ending === 'cut');
    cut += lost.length;
    if (lost.length < streams / 4) faults.push(`only ${lost.length} of ${streams} were cut`);
    faults.push(...calls.flatMap((call) => faultOf(call) ?? []));
    const again = (await fleet.engine()).started - started - streams;
    if (again !== 0) faults.push(`the engine got ${again} requests more than the clients sent`);
    await victim.start();
    await fleet.serving();
  }
  const shown = fleet.log.calls
    .slice(loan.from)
    .reduce((sum, { usage }) => sum + (usage ? costOf(PRICE, usage) : 0n), 0n);
  const { balance } = await fleet.office.credit(id);
  if (PICO_PER_USD - balance !== shown) {
    faults.push(`the others showed ${shown}, but ${PICO_PER_USD - balance} was charged`);
  }
  return await conclude(loan, { crashes: false }, { kills, streams, 'lost streams': cut }, faults);
}

/** Kills the agent once each stream has reached a different point. */
async function killUnder(
  fleet: Fleet,
  victim: Process,
  { key, streams }: Readonly<{ key: string; streams: number }>,
): Promise<Call[]> {
  const begun = Promise.withResolvers<void>();
  let waiting = streams;
  const calls = Promise.all(
    Array.from({ length: streams }, (_, client) =>
      fleet.log.ask({
        base: fleet.router(client).base,
        key,
        model: MODEL,
        prompt: 'Write exactly 1200 tokens.',
        maxTokens: 5_000,
        onEvent: ({ events }) => {
          if (events !== 1 + (client % 20)) return;
          waiting -= 1;
          if (waiting === 0) begun.resolve();
        },
      }),
    ),
  );
  await Promise.race([begun.promise, calls]);
  await victim.kill();
  return await calls;
}

/** A call must be complete, or cut without anything that a client could take for an end. */
function faultOf({ requestId, ending, done, finish, status }: Call): string | null {
  if (ending === 'complete' || (ending === 'cut' && !done && finish === null)) return null;
  return `${requestId} was ${ending} with ${status}, finish ${finish}, done ${done}`;
}
