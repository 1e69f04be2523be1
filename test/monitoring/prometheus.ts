/** A real Prometheus with the configuration of `configs/prometheus/`, on which time runs faster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/up.ts';
import { CONFIGS } from './configs.ts';

/** An hour of the rules is a minute of the test. */
const FASTER = 60;
const MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export type Alert = Readonly<{
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  state: 'pending' | 'firing';
}>;

/** Divides the windows, offsets and `for` of rules, and nothing else of them. */
export function accelerated(rules: string): string {
  return rules.replace(
    /(?<=\[|\bfor: |\boffset )(\d+)([smhd])\b/g,
    (_, count: string, unit: keyof typeof MS) => `${(Number(count) * MS[unit]) / FASTER}ms`,
  );
}

export class Prometheus implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(folder: string, child: ChildProcess, url: string) {
    this.#folder = folder;
    this.#process = child;
    this.#url = url;
  }

  static async start(
    targets: Readonly<Record<'routers' | 'agents', readonly string[]>>,
  ): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-prometheus-'));
    await cp(join(CONFIGS, 'prometheus'), folder, { recursive: true });
    const config = join(folder, 'prometheus.yml');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replaceAll('interval: 15s', 'interval: 1s'));
    for (const name of await readdir(join(folder, 'rules'))) {
      const file = join(folder, 'rules', name);
      await writeFile(file, accelerated(await readFile(file, 'utf8')));
    }
    for (const [name, list] of Object.entries(targets)) {
      await writeFile(join(folder, `targets/${name}.yml`), JSON.stringify([{ targets: list }]));
    }
    const address = `127.0.0.1:${await freePort()}`;
    const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`];
    const child = spawn('prometheus', [...flags, `--web.listen-address=${address}`], {
      stdio: 'ignore',
    });
    const prometheus = new Prometheus(folder, child, `http://${address}`);
    await until(
      () =>
        fetch(`http://${address}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'Prometheus',
    );
    return prometheus;
  }

  /** Returns the number of series that a query returns. Throws if the query is invalid. */
  async count(query: string): Promise<number> {
    const { result } = await this.#api<{ result: unknown[] }>('query', { query });
    return result.length;
  }

  async alerts(): Promise<Alert[]> {
    return (await this.#api<{ alerts: Alert[] }>('alerts')).alerts;
  }

  /** Returns the names of the alerts that fire, in order. */
  async firing(): Promise<string[]> {
    const firing = (await this.alerts()).filter(({ state }) => state === 'firing');
    return [...new Set(firing.map(({ labels }) => labels['alertname'] ?? ''))].toSorted();
  }

  /** Returns the rules whose last evaluation failed, with the error. */
  async faults(): Promise<string[]> {
    type Rule = { name: string; lastError?: string };
    const { groups } = await this.#api<{ groups: { rules: Rule[] }[] }>('rules');
    return groups
      .flatMap(({ rules }) => rules)
      .filter(({ lastError }) => lastError)
      .map(({ name, lastError }) => `${name}: ${lastError}`);
  }

  async #api<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
    const query = new URLSearchParams(parameters);
    const answer = (await (
      await fetch(`${this.#url}/api/v1/${path}?${query.toString()}`)
    ).json()) as {
      status: string;
      error?: string;
      data: T;
    };
    if (answer.status !== 'success') throw new Error(`${parameters['query']}: ${answer.error}`);
    return answer.data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
