/** The memory of answers for repeated requests. */
import { expect, test } from 'vitest';
import { KeptAnswers } from '../../../router/request/repeats/kept-answers.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { systemRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();
const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(MIB, 'a');

function of(organization: string, digest: string) {
  const id = mintId('request', clock, systemRandom);
  return { id, organization: organization as OrganizationId, digest, body: 'body' };
}

/** An answer of so many MiB, in two pieces, of which one is text. */
const pieces = (mib: number) => [...Array.from({ length: mib - 1 }, () => PIECE), 'é'.repeat(100)];

test('an answer is kept for minutes, and then its memory is free', () => {
  const kept = new KeptAnswers(clock);
  const first = of('org_a', '1');
  kept.keep(first, [Buffer.from('{"é'), '":1}']);
  expect(kept.find(first)?.bytes.toString()).toBe('{"é":1}');
  expect(kept.find(of('org_b', '1'))).toBeNull();
  clock.advance(limits.keptAnswerMsMax - 1);
  expect(kept.find(first)).not.toBeNull();
  clock.advance(1);
  expect(kept.find(first)).toBeNull();
  kept.expire();
  expect(kept.bytes).toBe(0);
});

test('the oldest answers of an organization make room for its new ones, and when nothing is left in all, the oldest of all', () => {
  const kept = new KeptAnswers(clock);
  const peers = limits.keptAnswersBytesMax / limits.keptAnswersPerOrganizationBytesMax;
  const each = limits.keptAnswersPerOrganizationBytesMax / MIB / 4;
  for (let peer = 0; peer < peers; peer++) {
    for (let answer = 0; answer < 6; answer++) {
      kept.keep(of(`org_${peer}`, `${answer}`), pieces(each));
    }
    expect(kept.find(of(`org_${peer}`, '0'))).toBeNull();
    expect(kept.find(of(`org_${peer}`, '5'))).not.toBeNull();
  }
  kept.keep(of('org_late', '0'), pieces(2 * each));
  expect(kept.find(of('org_late', '0'))).not.toBeNull();
  // Nothing is left in all: the oldest give way, whoever has them, and no more than needed.
  kept.keep(of('org_later', '0'), pieces(4 * each));
  expect(kept.find(of('org_later', '0'))).not.toBeNull();
  expect(kept.find(of('org_0', '1'))).toBeNull();
  expect(kept.find(of('org_0', '5'))).not.toBeNull();
  expect(kept.find(of('org_1', '1'))).not.toBeNull();
  expect(kept.bytes).toBeLessThanOrEqual(limits.keptAnswersBytesMax);
});

test('an answer that is larger than an organization may keep is not kept, and displaces none', () => {
  const kept = new KeptAnswers(clock);
  kept.keep(of('org_a', '1'), pieces(1));
  kept.keep(of('org_a', '2'), pieces(limits.keptAnswersPerOrganizationBytesMax / MIB + 1));
  expect(kept.find(of('org_a', '1'))).not.toBeNull();
  expect(kept.find(of('org_a', '2'))).toBeNull();
});

test('no answer is forgotten for one that has no room even then', () => {
  const kept = new KeptAnswers(clock);
  const [sent, other] = [of('org_a', '1'), of('org_a', '2')];
  kept.keep(sent, pieces(13));
  const over = kept.find(sent)?.read();
  clock.advance(limits.keptAnswerMsMax);
  kept.expire();
  kept.keep(other, pieces(3));
  kept.keep(of('org_a', '3'), pieces(6));
  expect(kept.find(of('org_a', '3'))).toBeNull();
  expect(kept.find(other)).not.toBeNull();
  over?.();
  kept.keep(of('org_a', '3'), pieces(6));
  expect(kept.find(of('org_a', '3'))).not.toBeNull();
  expect(kept.find(other)).not.toBeNull();
});

test('an answer that is being sent counts until it was sent, even if it is forgotten before', () => {
  const kept = new KeptAnswers(clock);
  const first = of('org_a', '1');
  kept.keep(first, pieces(2));
  const sent = kept.find(first)?.read();
  clock.advance(limits.keptAnswerMsMax);
  kept.expire();
  expect(kept.find(first)).toBeNull();
  expect(kept.bytes).toBeGreaterThan(MIB);
  sent?.();
  expect(kept.bytes).toBe(0);
});
