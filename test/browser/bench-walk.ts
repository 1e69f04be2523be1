/**
 * `npm run bench:walk`: how long a newcomer takes from the sign-up page to the first answer in a
 * terminal, in a real browser in front of a real `penstock up`, at the pace of a person.
 *
 * The pace is that of the keystroke-level model (Card, Moran and Newell 1980): 0.28 s for a key of
 * an average typist, 1.1 s to point, 0.1 s to press a button, 1.35 s to decide what to do, and 0.4 s
 * to move the hand to the mouse or back. Fields after the first one are reached with the Tab key. The
 * newcomer reads every word, 238 a minute (the mean of silent readers, Brysbaert 2019). To turn to
 * another program, such as the mail, they decide, point and click twice. What is left of the time is
 * `ours`: what the pages, the email and the answer take.
 *
 * `--rounds 5`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Up } from '../support/up.ts';
import { walk } from './first-walk.ts';
import { openBrowser, Visitor } from './visitor.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });

const SECONDS = { key: 0.28, point: 1.1, press: 0.1, decide: 1.35, hand: 0.4 } as const;
const WORDS_PER_MINUTE = 238;
const CLICK = SECONDS.decide + SECONDS.point + SECONDS.press;
const TAB = SECONDS.decide + SECONDS.key;

type Report = Record<'total' | 'ours' | 'reading' | 'typing' | 'clicking' | 'turning', number> & {
  clicks: number;
  words: number;
};

async function round(up: Up, email: string): Promise<Report> {
  const browser = await openBrowser();
  try {
    await using newcomer = await Visitor.open(browser, up);
    const spent = { reading: 0, typing: 0, clicking: 0, turning: 0 };
    const counted = { clicks: 0, words: 0 };
    const take = async (what: keyof typeof spent, seconds: number) => {
      const began = performance.now();
      await pause(seconds * 1000);
      spent[what] += (performance.now() - began) / 1000;
    };
    let isTyping = false;
    const began = performance.now();
    await walk(newcomer.page, up, {
      email,
      read: async (_, words) => {
        counted.words += words;
        await take('reading', (words / WORDS_PER_MINUTE) * 60);
      },
      type: async (field, text) => {
        const reach = isTyping ? TAB : CLICK + SECONDS.hand;
        isTyping = true;
        await take('typing', reach + text.length * SECONDS.key);
        await field.fill(text);
      },
      click: async (target) => {
        counted.clicks += 1;
        await take('clicking', isTyping ? SECONDS.hand + CLICK : CLICK);
        isTyping = false;
        // A page that went on by itself meanwhile has done what the click would do.
        await target.click({ timeout: 1_000 }).catch(() => undefined);
      },
      turn: () => take('turning', 2 * CLICK),
    });
    const total = (performance.now() - began) / 1000;
    const own = Object.values(spent).reduce((sum, seconds) => sum + seconds, 0);
    return { total, ours: total - own, ...spent, ...counted };
  } finally {
    await browser.close();
  }
}

await using up = await Up.start();
const rounds: Report[] = [];
for (let n = 0; n < Number(flags.rounds); n++) {
  rounds.push(await round(up, `walker-${n}@example.com`));
}
const rounded = (value: number) => Math.round(value * 10) / 10;
for (const name of Object.keys(rounds[0] ?? {}) as (keyof Report)[]) {
  const values = rounds.map((report) => report[name]).toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [values[0], values.at(-1)];
  const median = values[Math.floor(values.length / 2)] ?? 0;
  process.stdout.write(`${name}: ${rounded(median)} (${rounded(least)} to ${rounded(most)})\n`);
}
