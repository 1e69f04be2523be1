/** `npm run release`: builds the files of a release into `release/`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { bundleAgent } from './bundles.ts';
import { makePackage } from './package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RELEASE = join(ROOT, 'release');
/** The package as a folder, which is packed below. */
const PACKAGE = join(RELEASE, 'package');

/** The commit of the source: from Git, or from the environment where there is no repository. */
function commitOf(): string {
  const given = process.env['PENSTOCK_COMMIT'];
  if (given) return given;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const commit = git('rev-parse', '--short=12', 'HEAD').trim();
  return git('status', '--porcelain') === '' ? commit : `${commit}-dirty`;
}

if (!existsSync(join(ROOT, 'router/dashboard/dist/index.html'))) {
  throw new Error('the dashboard was not built: run `npm run prepare`');
}
const commit = commitOf();
rmSync(RELEASE, { recursive: true, force: true });
mkdirSync(PACKAGE, { recursive: true });
await makePackage(ROOT, commit, PACKAGE);
execFileSync('npm', ['pack', '--silent', '--pack-destination', RELEASE], { cwd: PACKAGE });
const agent = join(RELEASE, `penstock-agent-${manifest.version}.cjs`);
await bundleAgent({ root: ROOT, commit }, agent);
chmodSync(agent, 0o755);
