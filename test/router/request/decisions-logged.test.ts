/** At level debug, the log says why a request went to a worker, was tried again, or was refused. */
import { expect, test } from 'vitest';
import { makeLog } from '../../../shared/log.ts';
import { readStream } from '../../support/sse.ts';
import { RequestRig } from './rig.ts';

const RICH = 10n ** 15n;

type Line = Readonly<Record<string, unknown>>;

async function linesAt(level: 'debug' | 'info'): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Line);
  await using rig = await RequestRig.start({}, undefined, makeLog('test', level, { write }));
  const begun = await rig.begin(await rig.customer(RICH));
  rig.agent.drop();
  await begun.seen;
  await readStream(await rig.post(await rig.customer(0n)));
  return lines;
}

test('at level debug the log says which worker was picked, what failed and what was refused', async () => {
  const lines = await linesAt('debug');
  const [picked, failed, ...refused] = lines;
  expect(picked).toMatchObject({ msg: 'picked a worker', candidates: [{ cachedTokens: 0 }] });
  expect(failed).toMatchObject({ msg: 'an attempt failed', number: 1, worker: picked?.['worker'] });
  expect(failed?.['request']).toBe(picked?.['request']);
  expect(refused.map(({ msg }) => msg)).toEqual(['refused a request', 'refused a request']);
  expect(refused[1]).toMatchObject({ code: 'insufficient_credit' });
});

test('at level info it says nothing of them', async () => {
  expect(await linesAt('info')).toEqual([]);
});
