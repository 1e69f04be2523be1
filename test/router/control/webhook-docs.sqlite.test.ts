/** The code of docs/webhooks.md that verifies a signature without a library. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../../router/control/webhooks/secrets.ts';
import { systemClock } from '../../../shared/clock.ts';

const PAGE = new URL('../../../docs/webhooks.md', import.meta.url);
const KEYS = [1, 2].map((fill) => new Uint8Array(32).fill(fill));
const [secret, other] = KEYS.map((key) => `whsec_${Buffer.from(key).toString('base64')}`);
const BODY = '{"type":"key.revoked","data":{"name":"Zoë"}}';

async function codeWith(language: string, text: string): Promise<string> {
  const blocks = [...(await readFile(PAGE, 'utf8')).matchAll(/```(\w+)\n(.*?)```/gs)];
  const found = blocks.find(([, name, code]) => name === language && code?.includes(text));
  if (!found) throw new Error(`the page has no ${language} with ${text}`);
  return found[2] as string;
}

function message(at = systemClock.now(), keys = KEYS): Record<string, string> {
  return signedHeaders({ id: 'evt_1', at, body: BODY }, keys);
}

/** The secret, headers and body of each case, and whether they are genuine. */
function cases(): readonly (readonly [string, Record<string, string>, string, boolean])[] {
  const one = message(systemClock.now(), KEYS.slice(0, 1));
  return [
    [secret as string, message(), BODY, true],
    [other as string, message(), BODY, true],
    [secret as string, one, BODY, true],
    [other as string, one, BODY, false],
    [secret as string, one, BODY.replace('revoked', 'resumed'), false],
    [secret as string, { ...one, 'webhook-id': 'evt_2' }, BODY, false],
    [secret as string, message(systemClock.now() - 600_000), BODY, false],
  ];
}

test('the code for Node.js accepts what is genuine, and nothing else', async () => {
  const code = await codeWith('js', 'function isGenuine');
  const url = `data:text/javascript,${encodeURIComponent(`${code}\nexport { isGenuine };`)}`;
  const { isGenuine } = (await import(/* @vite-ignore */ url)) as {
    isGenuine: (secret: string, headers: object, body: string) => boolean;
  };
  for (const [key, headers, body, genuine] of cases()) {
    expect(isGenuine(key, headers, body)).toBe(genuine);
  }
});

test('the code for Python accepts what is genuine, and nothing else', async () => {
  const code = await codeWith('python', 'def is_genuine');
  const program = `${code}
import json, sys
print(json.dumps([is_genuine(s, h, b.encode()) for s, h, b, _ in json.load(sys.stdin)]))`;
  const input = JSON.stringify(cases());
  const printed = execFileSync('python3', ['-c', program], { input, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual(cases().map(([, , , genuine]) => genuine));
});
