/** Ends the process with a reason on a Node that is too old. This is imported before all else. */

/** That of undici, which the agent bundles. */
const OLDEST = [22, 19] as const;

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const needed = `install Node ${OLDEST.join('.')} or later`;
  process.stderr.write(
    `penstock-agent: Node ${node} (${process.execPath}) is too old: ${needed}\n`,
  );
  process.exit(2);
}
