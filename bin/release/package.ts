/**
 * Makes the npm package of a release: the bundled code, the dashboard, the shipped configurations and
 * the notices of the bundled packages. Only native packages stay dependencies.
 */
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { buildDashboard, bundleAll } from './bundles.ts';
import { noticesOf } from './notices.ts';

/** Files that are in the package as they are in the source. */
const AS_THEY_ARE = ['bin/penstock', 'configs', 'README.md', 'LICENSE'];

/** Returns the folders of the npm packages whose code it contains. */
export async function makePackage(
  root: string,
  commit: string,
  into: string,
): Promise<ReadonlySet<string>> {
  const dashboard = await buildDashboard(root);
  const bundle = await bundleAll({ root, commit }, into);
  const packages = new Set([...bundle.packages, ...dashboard]);
  const copied = [
    ...AS_THEY_ARE.map((path) => [path, join(root, path)] as const),
    ...bundle.copied,
  ];
  for (const [path, from] of copied) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await cp(from, join(into, path), { recursive: true, filter: (file) => !isPrivate(file) });
  }
  await chmod(join(into, 'bin/penstock'), 0o755);
  await writeFile(join(into, 'NOTICES'), await noticesOf(packages));
  await writeFile(join(into, 'package.json'), `${JSON.stringify(described(), null, 2)}\n`);
  return packages;
}

/** Whether it is the folder of secrets that `configs/compose/prepare` makes in a source tree. */
function isPrivate(file: string): boolean {
  return basename(file) === 'private';
}

function described(): object {
  const { name, version, description, license, type, engines, bin, dependencies } = manifest;
  const { 'better-sqlite3': sqlite, '@node-rs/argon2': argon2, zeromq } = dependencies;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    dependencies: { 'better-sqlite3': sqlite, '@node-rs/argon2': argon2 },
    // 40 MB, which only an agent or a simulated engine with KV events needs.
    peerDependencies: { zeromq },
    peerDependenciesMeta: { zeromq: { optional: true } },
  };
}
