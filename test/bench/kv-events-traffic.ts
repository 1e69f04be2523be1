/**
 * The requests of `kv-events.ts`: conversations that return after a while, and the prompts of others.
 * The same seed gives the same requests.
 */
import { type Random, seededRandom } from '../../shared/random.ts';

type Message = Readonly<{ role: 'user' | 'assistant'; content: string }>;

export type PlannedRequest = Readonly<{
  /** Since the start of the run. */
  atMs: number;
  /** Whether it is sent to the engine directly, so that no router sees it. */
  isUnseen: boolean;
  messages: readonly Message[];
}>;

type Span = readonly [least: number, most: number];

/** Together about 90,000 tokens. */
const CONVERSATIONS = 24;
const TURNS_MAX = 8;
const PER_SECOND = 2;
const FIRST_TOKENS: Span = [1_000, 3_000];
const TURN_TOKENS: Span = [200, 600];
const UNSEEN_TOKENS: Span = [2_000, 6_000];
/** Others send nothing for this long, then for as long as many requests as the conversations. */
const PHASE_MS = 20_000;

/** Returns the requests in the order in which they are sent. */
export function planned(seed: number, seconds: number, withUnseen: boolean): PlannedRequest[] {
  const ours = conversationsOf(seededRandom(seed), seconds);
  return withUnseen
    ? [...ours, ...unseenOf(seededRandom(seed + 1), seconds)].toSorted((a, b) => a.atMs - b.atMs)
    : ours;
}

function conversationsOf(random: Random, seconds: number): PlannedRequest[] {
  const conversations: Message[][] = Array.from({ length: CONVERSATIONS }, () => []);
  return arrivals(random, seconds).map((atMs) => {
    const which = random.below(CONVERSATIONS);
    const before = conversations[which] as Message[];
    const isNew = before.length === 0 || before.length >= 2 * TURNS_MAX - 1;
    const messages = isNew
      ? [said(text(random, FIRST_TOKENS))]
      : [
          ...before,
          { role: 'assistant' as const, content: 'Yes.' },
          said(text(random, TURN_TOKENS)),
        ];
    conversations[which] = messages;
    return { atMs, isUnseen: false, messages };
  });
}

function unseenOf(random: Random, seconds: number): PlannedRequest[] {
  return arrivals(random, seconds)
    .filter((atMs) => Math.floor(atMs / PHASE_MS) % 2 === 1)
    .map((atMs) => ({ atMs, isUnseen: true, messages: [said(text(random, UNSEEN_TOKENS))] }));
}

/** Returns random times at a mean rate of `PER_SECOND`. */
function arrivals(random: Random, seconds: number): number[] {
  const times: number[] = [];
  let atMs = 0;
  for (;;) {
    atMs -= (1_000 / PER_SECOND) * Math.log(1 - random.unit());
    if (atMs >= 1_000 * seconds) return times;
    times.push(atMs);
  }
}

function said(content: string): Message {
  return { role: 'user', content };
}

/**
 * Text of which four characters are a token, as in English. The vocabulary of the model has letters
 * and a few markers: two markers of 11 and 12 characters and five letters are seven tokens.
 */
function text(random: Random, [least, most]: Span): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCodePoint(97 + random.below(26))).join('');
  const pieces = Math.round((least + random.below(most - least + 1)) / 7);
  return Array.from(
    { length: pieces },
    () => `<tool_call>${letters(2)}</tool_call>${letters(3)}`,
  ).join('');
}
