/** Reads emails from the output of `penstock up`, which logs them when there is no mail server. */
import { type Up, until } from '../support/up.ts';

/** Returns the newest link to `path` that was sent to an address, other than `besides`. */
export async function letterTo(up: Up, email: string, path: string, besides = ''): Promise<string> {
  return await until(() => {
    const link = up.output
      .split('\n')
      .filter((line) => line.includes(`"to":"${email}"`))
      .map((line) => /"link":"([^"]+)"/.exec(line)?.[1] ?? '')
      .findLast((one) => one.includes(`${path}#token=`));
    return link !== besides && link;
  }, `a letter to ${email}`);
}

/** Returns the token after `#token=` in a link. */
export function tokenOf(link: string): string {
  return link.split('#token=')[1] ?? '';
}
