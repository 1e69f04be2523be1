/** Letters as `penstock up` hands them over: without SMTP each is a line of its log. */
import { type Up, until } from '../support/up.ts';

type Line = Readonly<{ msg?: string; to?: string; link?: string }>;

/** The token of the newest link that was sent to an address; waits for the letter. */
export async function tokenSentTo(up: Up, email: string, besides = ''): Promise<string> {
  return await until(() => {
    const sent = linesOf(up).filter(({ msg, to }) => msg === 'letter' && to === email);
    const token = sent.at(-1)?.link?.split('#token=')[1];
    return token !== besides && token;
  }, `a letter to ${email}`);
}

function linesOf(up: Up): Line[] {
  return up.output.split('\n').flatMap((text) => {
    const start = text.indexOf('{');
    if (start === -1) return [];
    try {
      return [JSON.parse(text.slice(start)) as Line];
    } catch {
      return [];
    }
  });
}
