/**
 * The bill of materials (CycloneDX) of a release: of all packages that npm lists for the source, those
 * whose code is in the release, and native ones that are installed with it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

type Component = Readonly<{ 'bom-ref': string }>;
type Bom = {
  metadata: { component: Component & { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};
type Locked = Readonly<
  Record<
    string,
    Readonly<{
      version?: string;
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    }>
  >
>;

/** `folders`: the packages in the release. `installed`: the names of those installed with it. */
export function billOf(
  root: string,
  folders: ReadonlySet<string>,
  installed: readonly string[],
): string {
  const bom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      cwd: root,
      // The build of the dashboard has set it to `production`, with which npm lists fewer packages.
      env: { ...process.env, NODE_ENV: '' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  ) as Bom;
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages: locked } = JSON.parse(lock) as { packages: Locked };
  const paths = [...folders].map((folder) => relative(root, folder));
  const shipped = new Set(paths.map((path) => reference(locked, path)));
  for (const name of installed) addInstalled(locked, name, shipped);
  const own = bom.metadata.component;
  // npm lists a package once for each place in which it is installed.
  const listed = new Map(bom.components.map((one) => [one['bom-ref'], one]));
  const absent = [...shipped].filter((one) => !listed.has(one));
  if (absent.length > 0) throw new Error(`npm does not list ${absent.join(', ')}`);
  bom.components = [...listed.values()].filter((one) => shipped.has(one['bom-ref']));
  const dependencies = new Map(bom.dependencies.map((one) => [one.ref, one.dependsOn ?? []]));
  bom.dependencies = [...dependencies]
    .filter(([ref]) => ref === own['bom-ref'] || shipped.has(ref))
    .map(([ref, dependsOn]) => ({ ref, dependsOn: dependsOn.filter((on) => shipped.has(on)) }));
  // npm takes the name from the folder.
  own.name = 'penstock';
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Returns npm's reference to a package, `name@version`. */
function reference(locked: Locked, path: string): string {
  const version = locked[path]?.version;
  if (version === undefined) throw new Error(`${path} is not in package-lock.json`);
  return `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
}

/** Adds a package with all that it may install. Native packages have no nested dependencies. */
function addInstalled(locked: Locked, name: string, shipped: Set<string>): void {
  const path = `node_modules/${name}`;
  shipped.add(reference(locked, path));
  const { dependencies, optionalDependencies } = locked[path] ?? {};
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (`node_modules/${each}` in locked) addInstalled(locked, each, shipped);
  }
}
