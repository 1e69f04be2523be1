/** Who gets a place on `/agent` while strangers take all the places that they may have. */
import { expect, test } from 'vitest';
import { type Greeting, Greetings } from '../../../router/fleet/greetings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { greetingLimits } from '../../../router/fleet/greeting-limits.ts';

const { strangers, agents, graceMs, arrivals, lookUps } = greetingLimits;

function open(enrolled: readonly string[] = []) {
  const clock = new ManualClock();
  const ended: string[] = [];
  const greetings = new Greetings({ clock, isEnrolled: (key) => enrolled.includes(key) });
  let count = 0;
  const enter = (address: string, key?: string, name = `${address} ${++count}`) =>
    greetings.enter(address, key, () => ended.push(name));
  /** Takes all places for strangers, from as many addresses as needed, each with its maximum. */
  const fill = () => {
    for (let nth = 0; greetings.counts.strangers < strangers.totalMax; nth++) {
      for (let one = 0; one < strangers.peerMax; one++) enter(`full-${nth}`);
    }
  };
  return { clock, greetings, ended, enter, fill };
}

test('strangers of one address have a few places, and those who came first make room later', () => {
  const { clock, greetings, ended, enter } = open();
  for (let nth = 0; nth < strangers.peerMax; nth++) expect(enter('a')).not.toBe(null);
  expect(enter('a')).toBe(null);
  expect(enter('b')).not.toBe(null);
  clock.advance(graceMs);
  expect(enter('a')).not.toBe(null);
  expect(ended).toEqual(['a 1']);
  expect(greetings.counts.strangers).toBe(strangers.peerMax + 1);
});

test('strangers of all addresses have so many places, and the oldest make room', () => {
  const { clock, greetings, ended, enter, fill } = open();
  fill();
  expect(greetings.counts.strangers).toBe(strangers.totalMax);
  expect(enter('late')).toBe(null);
  clock.advance(graceMs);
  expect(enter('late')).not.toBe(null);
  expect(ended).toEqual(['full-0 1']);
  expect(greetings.counts.strangers).toBe(strangers.totalMax);
});

test('an enrolled agent gets in while strangers have all places, from their address, too', () => {
  const { greetings, ended, enter, fill } = open(['key']);
  fill();
  expect(enter('full-0', 'key')).not.toBe(null);
  expect(enter('full-0', 'another')).toBe(null);
  expect(ended).toEqual([]);
  expect(greetings.counts).toEqual({ strangers: strangers.totalMax, agents: 1 });
});

test('an agent that names its key in the hello alone gives its place among strangers back', () => {
  const { greetings, enter } = open(['key']);
  const greeting = enter('a') as Greeting;
  greeting.names('another');
  expect(greetings.counts).toEqual({ strangers: 1, agents: 0 });
  greeting.names('key');
  greeting.names('key');
  expect(greetings.counts).toEqual({ strangers: 0, agents: 1 });
  greeting[Symbol.dispose]();
  greeting[Symbol.dispose]();
  expect(greetings.counts).toEqual({ strangers: 0, agents: 0 });
});

test('whoever knows the key of an agent takes no places but those of this key', () => {
  const { clock, greetings, ended, enter } = open(['key', 'other']);
  for (let nth = 0; nth < 3 * agents.peerMax; nth++) enter('a', 'key');
  expect(greetings.counts.agents).toBe(agents.peerMax);
  expect(enter('b', 'other')).not.toBe(null);
  clock.advance(graceMs);
  expect(enter('c', 'key', 'the agent itself')).not.toBe(null);
  expect(ended).toHaveLength(1);
});

test('strangers of one address come at a bounded rate, whatever becomes of them', () => {
  const { clock, enter } = open();
  const come = (address: string, times: number) =>
    Array.from({ length: times }, () => {
      const greeting = enter(address);
      greeting?.[Symbol.dispose]();
      return greeting !== null;
    }).filter(Boolean).length;
  expect(come('a', 10 * arrivals.peer.burst)).toBe(arrivals.peer.burst);
  expect(come('b', 1)).toBe(1);
  clock.advance(1_000);
  expect(come('a', 10 * arrivals.peer.burst)).toBe(arrivals.peer.perSecond);
});

test('strangers have the store asked at a bounded rate, enrolled agents at any', () => {
  const { enter } = open(['key']);
  const greeting = enter('a') as Greeting;
  const asked = Array.from({ length: 2 * lookUps.peer.burst }, (_, nth) =>
    greeting.mayLookUp(`unknown-${nth}`),
  );
  expect(asked.filter(Boolean)).toHaveLength(lookUps.peer.burst);
  expect(greeting.mayLookUp('key')).toBe(true);
});
