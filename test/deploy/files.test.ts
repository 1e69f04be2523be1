/**
 * Units, the compose file and the chart, checked by the tools that read them. CONTRIBUTING.md says
 * how to install helm, kubernetes-validate and docker-compose; a test without its tool is skipped.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseAgentConfig } from '../../agent/config.ts';
import { parseRouterConfig } from '../../router/config.ts';
import { parseYaml } from '../../shared/yaml.ts';
import { programOf } from './installed.ts';

const CONFIGS = resolve(import.meta.dirname, '../../configs');
const CHART = join(CONFIGS, 'helm/penstock');
const run = promisify(execFile);

function has(tool: string): boolean {
  return programOf(tool) !== null;
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-deploy-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.runIf(has('systemd-analyze'))('the units are valid and hardened', async () => {
  await inFolder(async (folder) => {
    for (const unit of await readdir(join(CONFIGS, 'systemd'))) {
      const text = await readFile(join(CONFIGS, 'systemd', unit), 'utf8');
      // The programs are not installed on the machine of the test.
      const copy = join(folder, unit);
      await writeFile(copy, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
      const verified = await run('systemd-analyze', ['verify', copy]);
      expect(verified.stderr).toBe('');
      // The exposure in tenths; a higher one is an error.
      await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', copy]);
    }
  });
});

test('the compose file mounts configurations that routers and agents accept', async () => {
  await inFolder(async (folder) => {
    await cp(join(CONFIGS, 'compose'), folder, {
      recursive: true,
      filter: (path) => !path.endsWith('private'),
    });
    await run(join(folder, 'prepare'), []);
    for (const n of [1, 2, 3]) {
      const text = await readFile(join(folder, `private/router-${n}.yaml`), 'utf8');
      expect(parseRouterConfig(parseYaml(text), 'router').advertise).toBe(
        `wss://router-${n}:8443/agent`,
      );
    }
    for (const n of [1, 2]) {
      const text = await readFile(join(folder, `private/agent-${n}.yaml`), 'utf8');
      expect(parseAgentConfig(text).routers[0]?.ca).toBe('/etc/penstock/ca.crt');
    }
    if (has('docker-compose')) {
      const file = join(folder, 'compose.yaml');
      await run('docker-compose', ['-f', file, '--profile', 'agents', 'config', '--quiet']);
    }
  });
});

type Manifest = Readonly<{
  kind: string;
  metadata: { name: string };
  data?: { 'config.yaml'?: string };
}>;

/** Everything that the chart can be asked for, besides the mode of the agents. */
const ALL = {
  router: {
    autoscaling: { enabled: true },
    ingress: { enabled: true },
    perPodServices: { count: 2 },
    tls: { certManager: { enabled: true } },
  },
  postgres: { enabled: true },
  monitoring: { podMonitors: { enabled: true } },
};

async function render(folder: string, values: object): Promise<string> {
  const file = join(folder, 'values.yaml');
  await writeFile(file, JSON.stringify(values));
  const catalog = `router.catalog=${join(CONFIGS, 'catalog.yaml')}`;
  const { stdout } = await run(
    'helm',
    `template penstock ${CHART} --namespace penstock --kube-version 1.31.0 --set-file ${catalog} -f ${file}`.split(
      ' ',
    ),
  );
  return stdout;
}

/** The configuration of a pod as its init container writes it. */
function filledIn(manifests: readonly Manifest[], name: string): string {
  const values: Readonly<Record<string, string>> = {
    POD_NAME: 'penstock-router-0',
    AGENT_NAME: 'node-1',
    HOST_IP: '10.0.0.1',
    STORE: 'postgresql://penstock:secret@penstock-postgres-rw.penstock:5432/penstock',
    JOIN: 'penstock-join-0000000000000000000000000000000000000000',
  };
  const map = manifests.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name,
  );
  const text = map?.data?.['config.yaml'] ?? '';
  return text.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
}

test
  .runIf(has('helm'))
  .for([
    { agents: { mode: 'none' } },
    { ...ALL, agents: { mode: 'daemonset' } },
    { ...ALL, agents: { mode: 'sidecar' } },
  ])('the chart with agents: $agents.mode is valid', async (values) => {
  await inFolder(async (folder) => {
    const text = await render(folder, values);
    const manifests = parseAllDocuments(text).map((one) => one.toJS() as Manifest);
    const router = filledIn(manifests, 'penstock-routers');
    expect(parseRouterConfig(parseYaml(router), 'router').advertise).toBe(
      'wss://penstock-router-0.penstock-routers.penstock.svc.cluster.local:8443/agent',
    );
    if (values.agents.mode !== 'none') {
      expect(parseAgentConfig(filledIn(manifests, 'penstock-agent')).engines).toHaveLength(1);
    }
    if (!has('kubernetes-validate')) return;
    const file = join(folder, 'manifests.yaml');
    await writeFile(file, text);
    for (const version of ['1.27.0', '1.31.0', '1.37.0']) {
      await run('kubernetes-validate', ['--strict', '-k', version, file]);
    }
  });
});

test.runIf(has('helm'))('the chart refuses values that it does not know', async () => {
  await inFolder(async (folder) => {
    await expect(render(folder, { router: { replica: 2 } })).rejects.toThrow('replica');
    await expect(render(folder, { router: { settings: { store: 'x' } } })).rejects.toThrow(
      'settings',
    );
  });
});
