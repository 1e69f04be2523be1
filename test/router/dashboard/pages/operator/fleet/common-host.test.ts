/** Whether the failed requests of the last hour were on one host. */
import { expect, test } from 'vitest';
import { commonHost } from '../../../../../../router/dashboard/pages/operator/fleet/common-host.ts';

const SINCE = Date.UTC(2026, 0, 1, 12);

/** Failures in the order of the API. `null`: it reached no host. */
function found(hosts: readonly (string | null)[], { old = 0, more = false } = {}) {
  const at = (ms: number) => new Date(SINCE + ms).toISOString();
  const failure = (host: string | null, created: string) => ({
    agent: host && `agt_${host}`,
    agent_name: host,
    created,
  });
  return commonHost(
    {
      data: [
        ...hosts.map((host) => failure(host, at(1_000))),
        ...Array.from({ length: old }, () => failure('old', at(-1_000))),
      ],
      has_more: more,
    },
    SINCE,
  );
}

test('a host is named that had more than half of the failed requests of the hour', () => {
  expect(found(['b', 'a', 'b', 'b'])).toEqual({ agent: 'agt_b', name: 'b', isEvery: false });
  expect(found(['a', 'b', 'b', 'a'])).toBeNull();
  expect(found(['a', null, null])).toBeNull();
  expect(found([], { old: 5 })).toBeNull();
});

test('all were on a host only if no more of the hour may be unlisted', () => {
  expect(found(['a', 'a'])).toMatchObject({ isEvery: true });
  expect(found(['a', 'a'], { old: 3, more: true })).toMatchObject({ isEvery: true });
  expect(found(['a', 'a'], { more: true })).toMatchObject({ isEvery: false });
});
