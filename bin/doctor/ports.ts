/** Whether the ports that a configuration names are free, and if not, whether a Penstock has them. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { request } from 'undici';
import { systemFault } from '../../shared/system-fault.ts';
import { type Finding, fault, ok } from './finding.ts';
import { ANYONE, probeLink } from './link-probe.ts';

const ANSWER_MS_MAX = 3_000;

/** `setting`: where the configuration names it. `serves`: what a Penstock serves there. */
export type Place = Readonly<{
  setting: string;
  host: string;
  port: number;
  serves: 'metrics' | 'plain link' | 'TLS link';
}>;

export async function portFinding({ setting, host, port, serves }: Place): Promise<Finding> {
  const check = `port: ${setting}`;
  if (port === 0) return ok(check, 'any free port is chosen');
  const refused = await listenFault(host, port);
  if (refused === null) return ok(check, `${host}:${port} is free`);
  if (refused.code !== 'EADDRINUSE') {
    const advice = 'Choose an address of this machine, and a port that this user may listen on.';
    return fault(check, `${host}:${port} cannot be used: ${systemFault(refused)}`, advice);
  }
  if (await isOurs(host, port, serves)) return ok(check, `${host}:${port} is served by a Penstock`);
  const advice = 'Stop the process that listens there (ss -ltnp shows it), or choose another port.';
  return fault(check, `${host}:${port} is taken by another program`, advice);
}

async function listenFault(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

async function isOurs(host: string, port: number, serves: Place['serves']): Promise<boolean> {
  const at = `${reachable(host)}:${port}`;
  if (serves === 'metrics') return await hasOurMetrics(`http://${at}/metrics`);
  const url = `${serves === 'TLS link' ? 'wss' : 'ws'}://${at}/agent`;
  return (await probeLink(url, ANYONE)) === null;
}

async function hasOurMetrics(url: string): Promise<boolean> {
  try {
    const times = { headersTimeout: ANSWER_MS_MAX, bodyTimeout: ANSWER_MS_MAX };
    const { body } = await request(url, times);
    return /^# HELP penstock_/m.test(await body.text());
  } catch {
    return false;
  }
}

/** The address at which this machine reaches a server that listens at `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
