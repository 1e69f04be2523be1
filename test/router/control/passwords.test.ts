/** How many passwords are hashed at once, and which addresses share one count of attempts. */
import { verify } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import {
  checkNewPassword,
  hashPassword,
  Passwords,
} from '../../../router/control/people/passwords.ts';
import { addressBlock } from '../../../router/control/people/throttle.ts';
import { Refused } from '../../../router/control/api.ts';

/** A stand-in for argon2 whose hashes end when the test says so. */
function gated() {
  const open: (() => void)[] = [];
  let most = 0;
  const work = async () => {
    const gate = Promise.withResolvers<void>();
    open.push(gate.resolve);
    most = Math.max(most, open.length);
    await gate.promise;
  };
  return {
    argon2: {
      hash: async (password: string) => {
        await work();
        if (password === 'fails') throw new Error('no memory');
        return `$argon2id$${password}`;
      },
      verify: async () => {
        await work();
        return true;
      },
    },
    /** Ends the longest-running hash, and lets the next in the queue start. */
    async end() {
      open.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    running: () => open.length,
    most: () => most,
  };
}

test('two are hashed at once, the others wait in their order, and what fails gives its place on', async () => {
  const gate = gated();
  const passwords = new Passwords(gate.argon2);
  const ended: string[] = [];
  const all = ['a', 'fails', 'b', 'c'].map((password) =>
    passwords.hash(password).then(
      (digest) => ended.push(digest),
      () => ended.push('failed'),
    ),
  );
  expect(gate.running()).toBe(2);
  for (let n = 0; n < 4; n++) await gate.end();
  await Promise.all(all);
  expect(ended).toEqual(['$argon2id$a', 'failed', '$argon2id$b', '$argon2id$c']);
  expect(gate.most()).toBe(2);
});

test('of a flood, those that cannot wait are refused, and told to come again', async () => {
  const gate = gated();
  const passwords = new Passwords(gate.argon2);
  const waiting = Array.from({ length: 66 }, () => passwords.verify(null, 'x'));
  const refused = await passwords.hash('x').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect((refused as Refused).refusal).toMatchObject({ code: 'rate_limited', retryAfterS: 1 });
  for (let n = 0; n < 66; n++) await gate.end();
  await Promise.all(waiting);
  const next = passwords.verify(null, 'x');
  await gate.end();
  expect(await next).toBe(true);
});

test('nobody and a damaged hash are verified at the same cost as anybody, and never succeed', async () => {
  const against: string[] = [];
  const passwords = new Passwords({
    hash: hashPassword,
    verify: (digest, password) => {
      against.push(digest);
      return verify(digest, password);
    },
  });
  const own = await hashPassword('three blue herons at dawn');
  expect(await passwords.verify(own, 'three blue herons at dawn')).toBe(true);
  for (const digest of [null, '', 'damaged']) {
    expect(await passwords.verify(digest, 'three blue herons at dawn')).toBe(false);
  }
  const costs = against.map((digest) => digest.split('$').slice(1, 4).join('$'));
  expect(new Set(costs)).toEqual(new Set(['argon2id$v=19$m=19456,t=2,p=1']));
  expect(costs).toHaveLength(4);
});

test('a password that would be guessed first is refused, any other is not', () => {
  const who = { email: 'ada.lovelace@example.com', name: 'Ada King-Noel' };
  for (const bad of ['PASSWORD1234', 'ada.lovelace', 'ada king-noel', 'ababababababab']) {
    expect(() => checkNewPassword(bad, who)).toThrow(Refused);
  }
  for (const good of ['three blue herons at dawn', 'ééééàààà ùùùù', 'correct horse battery']) {
    checkNewPassword(good, who);
  }
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
])('an attempt from %s counts as one from %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
