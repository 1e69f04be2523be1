/**
 * `npm run bench:agents`: what connected agents cost a router that has nothing else to do. Each
 * agent reports its load once a second, and router and agents ping each other, as in service. The
 * agents have no other work, and run in a process of their own. The figure is the CPU time of the
 * router over all its threads, in percent of one core, without agents and with them. The limit is 15 %
 * with a thousand agents.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Dial, Dialled } from '../torture/crowd-of-agents.ts';
import { Fleet } from '../torture/fleet.ts';
import { pssBytes } from '../torture/process-figures.ts';
import { joinTokens } from '../torture/t12-links.ts';
import { cpuBetween, readCpu } from './side-by-side/cpu-clock.ts';

const CROWD = fileURLToPath(new URL('../torture/crowd-of-agents.ts', import.meta.url));
const PERCENT_MAX = 15;
/** Time after the last agent has dialled, or the router has started, before the CPU time counts. */
const SETTLE_MS = 10_000;
const DIAL_MS_MAX = 120_000;

const { values: flags } = parseArgs({
  options: {
    agents: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
  },
});
const agents = Number(flags.agents);
const seconds = Number(flags.seconds);

type Cost = Readonly<{ percent: number; megabytes: number; reports: number }>;

await using fleet = await Fleet.start({ agents: 0 });
const router = fleet.router(0);
const crowd = fork(CROWD);

const alone = await measure();
const dialled = await ask<Dialled>({
  dial: router.origin,
  tokens: await joinTokens(fleet, agents),
});
await router.serving(agents);
const joined = await measure();
crowd.kill();
if (dialled.breaks > 0) throw new Error(`${dialled.breaks} links broke`);

const cost = joined.percent - alone.percent;
process.stdout.write(
  `CPU time of the router over all threads, in ${seconds} s\n\n` +
    '| Agents | Reports a second | % of a core | MB |\n|---:|---:|---:|---:|\n' +
    row(0, alone) +
    row(agents, joined) +
    `\nThe agents cost ${cost.toFixed(2)} % of a core, ` +
    `${((cost * 1e4) / joined.reports).toFixed(0)} µs a report with all that goes with it.\n`,
);
// The limit is that of a thousand agents.
process.exitCode = cost <= (PERCENT_MAX * agents) / 1_000 ? 0 : 1;

async function measure(): Promise<Cost> {
  await pause(SETTLE_MS);
  const { pid } = router.process;
  const sent = await ask<number>('reports');
  const [before, start] = [readCpu(pid), performance.now()];
  await pause(seconds * 1_000);
  const [ns, ms] = [cpuBetween(before, readCpu(pid)), performance.now() - start];
  return {
    percent: (100 * ns) / (ms * 1e6),
    megabytes: (await pssBytes(pid)) / 1e6,
    reports: ((await ask<number>('reports')) - sent) / (ms / 1_000),
  };
}

async function ask<Answer>(message: Dial | 'reports'): Promise<Answer> {
  const said = once(crowd, 'message', { signal: AbortSignal.timeout(DIAL_MS_MAX) });
  crowd.send(message);
  return (await said)[0] as Answer;
}

function row(count: number, { percent, megabytes, reports }: Cost): string {
  const cells = [count, reports.toFixed(0), percent.toFixed(2), megabytes.toFixed(0)];
  return `| ${cells.join(' | ')} |\n`;
}
