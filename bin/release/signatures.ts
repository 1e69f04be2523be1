/** Verifies the registry's signatures of the packages from which a release is built. */
import { spawnSync } from 'node:child_process';

/** What `npm audit signatures --json` prints: packages, or an error of its own. */
type Audit = Readonly<{
  invalid?: readonly Signed[];
  missing?: readonly Signed[];
  error?: Readonly<{ code?: string; summary?: string }>;
}>;
type Signed = Readonly<{ name: string; version: string }>;

/** A network that is slow to answer delays a release by at most this long. */
const MS_MAX = 60_000;
const UNREACHABLE =
  /^(?:E(?:AI_AGAIN|NOTFOUND|CONN\w+|TIMEDOUT|HOSTUNREACH|NETUNREACH)|E[45]\d\d)$/;

/**
 * Returns one line about the result. Throws when a signature is wrong or missing, and when npm fails
 * for another reason than a registry, or the keys' server, that cannot be reached.
 */
export function verifySignatures(root: string): string {
  const { stdout, status } = spawnSync(
    'npm',
    ['audit', 'signatures', '--json', '--fetch-retries=0'],
    { cwd: root, encoding: 'utf8', timeout: MS_MAX, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  if (status === null) return notVerified(`npm took more than ${MS_MAX / 1000} s`);
  return resultOf(stdout, status);
}

export function resultOf(stdout: string, status: number): string {
  const { invalid = [], missing = [], error } = JSON.parse(stdout || '{}') as Audit;
  const wrong = [...invalid, ...missing].map(({ name, version }) => `${name}@${version}`);
  if (wrong.length > 0) {
    throw new Error(`packages with a wrong or missing signature: ${wrong.join(', ')}`);
  }
  if (status === 0) return 'the signatures of all packages were verified';
  const { code = '', summary = '' } = error ?? {};
  if (UNREACHABLE.test(code)) return notVerified(summary);
  throw new Error(`npm audit signatures failed: ${summary || `status ${status}`}`);
}

function notVerified(why: string): string {
  return `THE SIGNATURES OF THE PACKAGES WERE NOT VERIFIED: ${why}`;
}
