/** At level debug, the log says why a request went to a worker, and why it was tried again. */
import { expect, test } from 'vitest';
import { makeLog } from '../../../shared/log.ts';
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
  return lines;
}

test('at level debug the log says which worker was picked and what failed', async () => {
  const lines = await linesAt('debug');
  const [picked, failed] = lines.filter(({ msg }) => msg !== 'request ended');
  expect(picked).toMatchObject({ msg: 'picked a worker', candidates: [{ cachedTokens: 0 }] });
  expect(failed).toMatchObject({ msg: 'an attempt failed', number: 1, worker: picked?.['worker'] });
  expect(failed?.['request']).toBe(picked?.['request']);
});

test('at level info it says nothing of them', async () => {
  expect((await linesAt('info')).map(({ msg }) => msg)).toEqual(['request ended']);
});
