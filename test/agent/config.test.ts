/** The agent's configuration: all errors are reported at once. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAgentConfig, readAgentConfig } from '../../agent/config.ts';
import { REGIONS } from '../../shared/region.ts';
import { linkUrlFault } from '../../shared/wire/link-url.ts';

const LEAST = `
name: a
data: /tmp/a
routers: ['wss://router.example/agent']
engines: [{ name: e, url: 'http://127.0.0.1:8000' }]
`;

test('the shipped example parses, and so does each of its comments that is a setting', async () => {
  const file = new URL('../../configs/agent.yaml', import.meta.url);
  await expect(readAgentConfig(file.pathname)).resolves.toMatchObject({ name: 'gpu-host-1' });
  const text = await readFile(file, 'utf8');
  const full = parseAgentConfig(text.replace(/^( *)# (?=(?:[\w/.-]+:|- ))/gm, '$1'));
  expect(full.engines.length).toBe(2);
  expect(full.engines[1]?.command?.[0]).toBe('vllm');
  expect(full.join).toMatch(/^penstock-join-/);
});

test.each(REGIONS)('the shipped example of an agent in region %s is good', async (region) => {
  const { routers } = await readAgentConfig(`configs/regions/agent.${region}.yaml`);
  expect(routers.map(({ url }) => url)).toContain('wss://api.example.com/agent');
});

test('a fault of the YAML has its line, and the token in it is not quoted', () => {
  const parsing = () => parseAgentConfig(`${LEAST}join: "penstock-join-hunter2\n`);
  expect(parsing).toThrow(/^line \d+, column \d+: a character is missing/);
  expect(parsing).not.toThrow('hunter2');
});

test('what is left out has its default', () => {
  expect(parseAgentConfig(LEAST)).toEqual({
    name: 'a',
    data: '/tmp/a',
    routers: [{ url: 'wss://router.example/agent' }],
    join: null,
    metrics: { host: '127.0.0.1', port: 9465, allowedHosts: [] },
    lingerMs: 1,
    logLevel: 'info',
    requestLog: 'all',
    engines: [{ name: 'e', url: 'http://127.0.0.1:8000', slots: 1024, models: {} }],
  });
});

test('a proxy is an HTTP URL or none, and a fault in it is reported without its credentials', () => {
  const of = (proxy: string) => parseAgentConfig(`${LEAST}proxy: ${proxy}`).proxy;
  for (const proxy of ['none', 'http://u:p%40@proxy:3128', 'https://proxy', 'http://[::1]:3128']) {
    expect(of(proxy)).toBe(proxy);
  }
  for (const proxy of ['socks5://u:hidden@proxy', 'http://u:hidden%@proxy', 'hidden', 'http://']) {
    expect(() => of(proxy)).toThrow(/proxy/);
    expect(() => of(proxy)).not.toThrow(/hidden/);
  }
});

test('a router may be an address, or an address and how to know who answers there', () => {
  const pin = `sha256//${'A'.repeat(43)}=`;
  const of = (routers: string) =>
    parseAgentConfig(LEAST.replace("['wss://router.example/agent']", routers)).routers;
  expect(of(`[{ url: wss://r/agent, pin: '${pin}', ca: /ca.pem }, wss://s/agent]`)).toEqual([
    { url: 'wss://r/agent', pin: [pin], ca: '/ca.pem' },
    { url: 'wss://s/agent' },
  ]);
  for (const [routers, fault] of [
    ['[{ url: wss://r/agent, pin: abc }]', 'routers[0]'],
    ['[{ url: wss://r/agent, pins: [] }]', 'pins'],
    ['[{ url: ws://r/agent, ca: /ca.pem }]', 'wss:// unless'],
    [`[{ url: ws://127.0.0.1/agent, pin: '${pin}' }]`, 'only for a wss:// URL'],
    ['[wss://r/agent, { url: wss://r/agent, ca: /ca.pem }]', 'is listed twice'],
  ] as const) {
    expect(() => of(routers)).toThrow(fault);
  }
});

test('every fault is named at once, and an unknown key is one', () => {
  const text = `
name: ''
routers: ['ws://router.example/agent', 'ws://localhost:1/agent', 'ws://localhost:1/agent']
logLevel: loud
colour: blue
metrics: { port: 99999 }
engines:
  - { name: 'with space', url: 'ftp://x' }
  - { name: e, url: 'http://u:p@x', slots: 0, modles: {} }
  - { name: e, url: 'http://x', cwd: /tmp }
  - { name: f, url: 'http://x', command: [], env: { '1A': b }, gpus: [-1], loadMinutesMax: 0 }
  - { name: g, url: 'http://x', command: ["a\\0b"] }
`;
  const fault = (() => {
    try {
      parseAgentConfig(text);
      return '';
    } catch (error) {
      return String(error);
    }
  })();
  for (const named of [
    'name',
    'data',
    'routers[0]',
    'logLevel',
    'colour',
    'metrics.port',
    'engines[0].name',
    'engines[0].url',
    'engines[1].url',
    'engines[1].slots',
    'modles',
    'engines[2].cwd',
    'engines[3].command',
    'engines[3].env',
    'engines[3].gpus[0]',
    'engines[3].loadMinutesMax',
    'engines[4].command[0]',
  ]) {
    expect(fault).toContain(named);
  }
  expect(() => parseAgentConfig(LEAST.replace(']', ", 'wss://router.example/agent']"))).toThrow(
    /is listed twice/,
  );
});

test('a plain address is dialled on this machine only', () => {
  for (const url of ['ws://localhost:80/agent', 'ws://127.0.0.1/agent', 'ws://[::1]:9/agent']) {
    expect(linkUrlFault(url)).toBe(null);
  }
  for (const url of [
    'ws://10.0.0.1/agent',
    'ws://localhost.evil.example/agent',
    'ws://127.0.0.1.evil.example/agent',
    'http://localhost/agent',
    'wss://user:pass@router.example/agent',
    'router.example',
  ]) {
    expect(linkUrlFault(url)).not.toBe(null);
  }
});
