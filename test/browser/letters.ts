/** Letters, as `penstock up` tells of them: without a mail server they are lines of its log. */
import { type Up, until } from '../support/up.ts';

/** The newest link that leads to `path` of those that went to an address; `besides`: one that is known. */
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

/** What stands behind `#token=` in a link. */
export function tokenOf(link: string): string {
  return link.split('#token=')[1] ?? '';
}
