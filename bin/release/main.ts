/**
 * `npm run release`: builds the files of a release into `release/`, or the folder that `--to` names.
 * `--executable` also makes the executable of the agent, for the platform on which this runs.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { billOf } from './bom.ts';
import { bundleAgent } from './bundles.ts';
import { makeExecutable } from './executable.ts';
import { makePackage } from './package.ts';
import { verifySignatures } from './signatures.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { executable: { type: 'boolean', default: false }, to: { type: 'string' } },
});
const RELEASE = resolve(values.to ?? join(ROOT, 'release'));
/** The package as a folder, from which its tarball is made. */
const PACKAGE = join(RELEASE, 'package');
const INSTALLED = ['better-sqlite3', '@node-rs/argon2'];

/** Returns the commit of the source: from Git, or from the environment without a repository. */
function commitOf(): string {
  const given = process.env['PENSTOCK_COMMIT'];
  if (given) return given;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const commit = git('rev-parse', '--short=12', 'HEAD').trim();
  return git('status', '--porcelain') === '' ? commit : `${commit}-dirty`;
}

/** Writes the checksums of all files of the release, as `sha256sum --check` reads them. */
async function writeChecksums(): Promise<string[]> {
  const entries = await readdir(RELEASE, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const lines: string[] = [];
  for (const name of files.toSorted()) {
    const bytes = await readFile(join(RELEASE, name));
    lines.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  }
  await writeFile(join(RELEASE, 'SHA256SUMS'), lines.join(''));
  return files;
}

const { version } = manifest;
const commit = commitOf();
await rm(RELEASE, { recursive: true, force: true });
await mkdir(PACKAGE, { recursive: true });

const packages = await makePackage(ROOT, commit, PACKAGE);
execFileSync('npm', ['pack', '--silent', '--pack-destination', RELEASE], { cwd: PACKAGE });
await writeFile(join(RELEASE, `penstock-${version}.cdx.json`), billOf(ROOT, packages, INSTALLED));

const agent = join(RELEASE, `penstock-agent-${version}`);
const bundle = await bundleAgent({ root: ROOT, commit }, `${agent}.cjs`);
await chmod(`${agent}.cjs`, 0o755);
await writeFile(`${agent}.cdx.json`, billOf(ROOT, bundle.packages, []));
if (values.executable) {
  await makeExecutable(ROOT, `${agent}.cjs`, `${agent}-${process.platform}-${process.arch}`);
}

const files = await writeChecksums();
for (const name of files) {
  const { size } = await stat(join(RELEASE, name));
  process.stdout.write(`${(size / 1e6).toFixed(1).padStart(6)} MB  ${join(RELEASE, name)}\n`);
}
process.stdout.write(`Penstock ${version} (${commit}): ${verifySignatures(ROOT)}\n`);
