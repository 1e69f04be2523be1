/** Letters, as `penstock up` tells of them: without a mail server they are lines of its log. */
import { type Up, until } from '../support/up.ts';

/** The newest link that leads to `path` of those that went to an address. */
export async function letterTo(up: Up, email: string, path: string): Promise<string> {
  return await until(
    () =>
      up.output
        .split('\n')
        .filter((line) => line.includes(`"to":"${email}"`))
        .map((line) => /"link":"([^"]+)"/.exec(line)?.[1] ?? '')
        .findLast((link) => link.includes(`${path}#token=`)),
    `a letter to ${email}`,
  );
}
