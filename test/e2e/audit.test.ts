import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/random.ts';
import { until } from '../support/up.ts';
import { type AuditFleet, type Host, startFleet } from './audit-fleet.ts';

const random = seededRandom(11);
const WORDS =
  'river stone cloud 1984 bridge, valve pipe (mill) grain water. Über die Brücke 水車 小屋'.split(
    ' ',
  );
const text = (words: number) =>
  Array.from({ length: words }, () => WORDS[random.below(WORDS.length)]).join(' ');

/** Sends requests of all kinds, a few at a time. */
async function serve(fleet: AuditFleet, requests: number): Promise<void> {
  const one = async () => {
    const length = 40 + random.below(80);
    await fleet.chat(`Write ${length} words about: ${text(150 + random.below(200))}`, {
      stream: random.below(2) === 0,
    });
  };
  for (let done = 0; done < requests; done += 10) {
    await Promise.all(Array.from({ length: Math.min(10, requests - done) }, one));
  }
}

/** Returns how many requests it took until this alarm was raised, at most `most`. */
async function served(fleet: AuditFleet, host: Host, kind: string, most: number): Promise<number> {
  for (let done = 0; done < most; done += 10) {
    if ((await fleet.alarmsOf(host)).includes(kind)) return done;
    await serve(fleet, 10);
  }
  await until(async () => (await fleet.alarmsOf(host)).includes(kind), kind);
  return most;
}

/** Returns how many answers were checked, by method. */
async function looks(fleet: AuditFleet): Promise<Record<string, number>> {
  const found = (await fleet.metrics()).matchAll(
    /^penstock_router_audits_total\{how="(\w+)"\} (\d+)$/gm,
  );
  return Object.fromEntries([...found].map(([, how, count]) => [how, Number(count)]));
}

describe('three hosts, every answer looked at', () => {
  let fleet: AuditFleet;
  beforeAll(async () => {
    fleet = await startFleet(3, { sample: 1 });
    return () => fleet[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    for (const host of fleet.hosts) await fleet.fault(host, {});
  });

  test('an honest fleet gives no alarm over 300 requests', async () => {
    await serve(fleet, 300);
    for (const host of fleet.hosts) expect(await fleet.alarmsOf(host)).toEqual([]);
    expect(await looks(fleet)).toMatchObject({ failed: 0, not_finished: 0 });
    expect((await looks(fleet))['recounted']).toBeGreaterThan(200);
    expect(await fleet.metrics()).not.toMatch(/^penstock_router_agent_alarms_total\{/m);
  }, 120_000);

  test.each([
    ['completion_inflated', 'completion_tokens'],
    ['prompt_inflated', 'prompt_tokens'],
  ])(
    'a host that adds a fifth is found by its %s, and nobody else is',
    async (kind, figure) => {
      const liar = fleet.hosts[1] as Host;
      await fleet.fault(liar, { wrong_usage: { [figure]: { factor: 1.2 } } });
      const requests = await served(fleet, liar, kind, 240);
      expect(requests).toBeLessThanOrEqual(240);
      for (const host of fleet.hosts) {
        if (host !== liar) expect(await fleet.alarmsOf(host)).toEqual([]);
      }
      const labels = `worker="${liar.worker}",kind="${kind}"`;
      expect(await fleet.metrics()).toContain(`penstock_router_agent_alarms_total{${labels}}`);
    },
    120_000,
  );

  test('a host that keeps quiet about what its cache saved is found', async () => {
    const liar = fleet.hosts[2] as Host;
    await fleet.fault(liar, { wrong_usage: { cached_tokens: 0 } });
    const shared = text(1_200);
    const ask = () => fleet.chat(`${shared} ${text(20)}`, { max_tokens: 4 });
    for (let done = 0; done < 240 && (await fleet.alarmsOf(liar)).length === 0; done += 10) {
      await Promise.all(Array.from({ length: 10 }, ask));
    }
    expect(await fleet.alarmsOf(liar)).toContain('cached_understated');
    expect(await fleet.alarmsOf(fleet.hosts[0] as Host)).toEqual([]);
  }, 120_000);
});

describe('a regional listener, as it is configured by default', () => {
  let fleet: AuditFleet;
  beforeAll(async () => {
    fleet = await startFleet(2, { sample: 1 }, 'us');
    return () => fleet[Symbol.asyncDispose]();
  });

  test('shows no text to another host, and finds gross inflation by what is usual', async () => {
    await serve(fleet, 100);
    expect(await looks(fleet)).toMatchObject({ recounted: 0, failed: 0 });
    const [liar, other] = fleet.hosts as [Host, Host];
    expect([...(await fleet.alarmsOf(liar)), ...(await fleet.alarmsOf(other))]).toEqual([]);
    await fleet.fault(liar, { wrong_usage: { completion_tokens: { factor: 1.6 } } });
    await served(fleet, liar, 'completion_inflated', 200);
    expect(await fleet.alarmsOf(other)).toEqual([]);
    expect(await looks(fleet)).toMatchObject({ recounted: 0 });
  }, 120_000);
});
