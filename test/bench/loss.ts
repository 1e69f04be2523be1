/**
 * `npm run bench:loss`: the effect of lost packets on the time between tokens when 256 streams
 * share a link, and whether a second connection would help: the same streams over two agents, each
 * with its own link, beside the same engine. Needs root, iproute2 and nftables. The cable adds no
 * delay, so the delays are those of TCP's retransmissions.
 */
import { parseArgs } from 'node:util';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Call } from '../support/client-log.ts';
import { FarHost } from '../torture/far-host.ts';
import { Fleet } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';

const { values: flags } = parseArgs({
  options: {
    streams: { type: 'string', default: '256' },
    tokens: { type: 'string', default: '200' },
    'token-ms': { type: 'string', default: '50' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const streams = Number(flags.streams);
const tokens = Number(flags.tokens);
const tokenMs = Number(flags['token-ms']);
const rounds = Number(flags.rounds);

type Gaps = Readonly<{ p50: number; p99: number; p999: number; max: number; late: number }>;
type Row = Readonly<{ links: number; lossPercent: number }> & Gaps;

async function measure(links: number): Promise<Row[]> {
  await using far = await FarHost.plug();
  await using fleet = await Fleet.start({
    agents: links,
    farHosts: Array.from({ length: links }, () => far),
    tokenMs,
    models: [MODEL],
  });
  const { key } = await fleet.office.customer('loss', 100n * PICO_PER_USD);
  const rows: Row[] = [];
  // In the first round all caches are cold, so it does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const oneIn of [0, 100]) {
      await far.lose(oneIn);
      const gaps = await streamAll(fleet, key);
      if (round > 0) rows.push({ links, lossPercent: oneIn === 0 ? 0 : 100 / oneIn, ...gaps });
    }
  }
  return rows;
}

/** Returns the times between consecutive events of a stream, over all streams. */
async function streamAll(fleet: Fleet, key: string): Promise<Gaps> {
  const gaps: number[] = [];
  const calls = await Promise.all(
    Array.from({ length: streams }, () => {
      let last: number | null = null;
      const onEvent = () => {
        const now = performance.now();
        if (last !== null) gaps.push(now - last);
        last = now;
      };
      const prompt = `Write exactly ${tokens} tokens.`;
      const { base } = fleet.router(0);
      return fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: tokens + 10, onEvent });
    }),
  );
  const broken = calls.filter((call: Call) => call.ending !== 'complete').length;
  if (broken > 0) throw new Error(`${broken} of ${streams} streams did not end whole`);
  const sorted = Float64Array.from(gaps).toSorted();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const late = sorted.filter((gap) => gap > 4 * tokenMs).length / sorted.length;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1), late };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const rows = [...(await measure(1)), ...(await measure(2))];
if (flags.json) {
  process.stdout.write(`${JSON.stringify(rows)}\n`);
} else {
  process.stdout.write(
    `${streams} streams, a token each ${tokenMs} ms, ${tokens} tokens, median of ${rounds} rounds; ms between tokens\n\n` +
      `| Links | Packets lost | p50 | p99 | p99.9 | max | later than ${4 * tokenMs} ms |\n|---:|---:|---:|---:|---:|---:|---:|\n`,
  );
  for (const links of [1, 2]) {
    for (const lossPercent of [0, 1]) {
      const of = rows.filter((row) => row.links === links && row.lossPercent === lossPercent);
      const figure = (pick: (row: Row) => number) => median(of.map(pick)).toFixed(1);
      const late = (median(of.map((row) => row.late)) * 100).toFixed(3);
      const cells = [(r: Row) => r.p50, (r: Row) => r.p99, (r: Row) => r.p999, (r: Row) => r.max];
      process.stdout.write(
        `| ${links} | ${lossPercent} % | ${cells.map(figure).join(' | ')} | ${late} % |\n`,
      );
    }
  }
}
