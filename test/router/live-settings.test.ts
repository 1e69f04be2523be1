/** Limits that change while the router runs. */
import { expect, test } from 'vitest';
import { parseRouterConfig } from '../../router/config.ts';
import { LiveSettings } from '../../router/live-settings.ts';
import { makeLog, setLogLevel } from '../../shared/log.ts';

function configWith(requestsPerMinute: number) {
  const listeners = [{ port: 0, region: 'global' }];
  const files = { store: 'sqlite:unused.db', catalog: 'unused.yaml', secrets: 'unused.json' };
  const limits = { key: { requestsPerMinute } };
  return parseRouterConfig({ listeners, ...files, limits, logLevel: 'silent' }, 'test');
}

test('limits that the fleet has taken are in force after a reload, and others are not', async () => {
  let file = configWith(1);
  const fleet = { requestsPerMinute: 2 };
  const settings = new LiveSettings(file, {
    log: makeLog('test', 'silent'),
    read: async () => file,
    differencesFromFleet: async ({ limits }) =>
      limits.key.requestsPerMinute === fleet.requestsPerMinute ? [] : ['limits.key'],
  });
  expect(settings.limits.key.requestsPerMinute).toBe(1);
  file = configWith(2);
  await settings.reload();
  expect(settings.limits.key.requestsPerMinute).toBe(2);
  file = configWith(3);
  await settings.reload();
  expect(settings.limits.key.requestsPerMinute).toBe(2);
});

test('the level of a log is also that of the logs that were derived from it', () => {
  const lines: string[] = [];
  const log = makeLog('test', 'info', { write: (line) => void lines.push(line) });
  const derived = log.child({ engine: 'a' }).child({ part: 'b' });
  derived.debug('before');
  setLogLevel(log, 'debug');
  derived.debug('between');
  setLogLevel(log, 'warn');
  derived.info('after');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['between']);
});
