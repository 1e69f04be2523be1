/** What operators do to a host or an organization from the palette, and the words that find it. */

export type VerbName = 'drain' | 'undrain' | 'suspend' | 'resume';

type Verb = Readonly<{
  of: 'host' | 'organization';
  /** Before the name of the host or organization. */
  title: string;
  /** What administrators of the platform do by it, and viewers cannot. */
  deed: string;
  /** What people type for it, in lower case. The first is what the palette writes into its field. */
  words: readonly string[];
}>;

export const VERBS: Readonly<Record<VerbName, Verb>> = {
  drain: {
    of: 'host',
    title: 'Drain host',
    deed: 'drain hosts',
    words: ['drain', 'cordon', 'evacuate', 'empty', 'maintenance'],
  },
  undrain: {
    of: 'host',
    title: 'End the drain of host',
    deed: 'end the drains of hosts',
    words: ['end drain', 'end the drain of', 'undrain', 'uncordon'],
  },
  suspend: {
    of: 'organization',
    title: 'Suspend organization',
    deed: 'suspend organizations',
    words: ['suspend', 'block', 'disable', 'freeze'],
  },
  resume: {
    of: 'organization',
    title: 'Resume organization',
    deed: 'resume organizations',
    words: ['resume', 'activate', 'reactivate', 'unsuspend', 'unblock', 'enable'],
  },
};

/** The nouns that may follow a verb: "drain host gpu-1" and "drain gpu-1" are the same. */
const NOUNS: Readonly<Record<Verb['of'], readonly string[]>> = {
  host: ['host', 'agent', 'machine'],
  organization: ['organization', 'organisation', 'org', 'customer'],
};

/** The name that follows a verb, as it was typed, without the spaces around it. */
export type Asked = Readonly<{ verb: VerbName; name: string }>;

/** Returns the verb that the search begins with, or null. */
export function askedIn(search: string): Asked | null {
  const text = search.trim().replace(/\s+/g, ' ');
  for (const verb of Object.keys(VERBS) as VerbName[]) {
    const { words, of } = VERBS[verb];
    const rest = afterOne(text, words);
    if (rest !== null) return { verb, name: afterOne(rest, NOUNS[of]) ?? rest };
  }
  return null;
}

/** What an operator who only reads is told if they search for a verb. Null if they do not. */
export function refusalOf(search: string): string | null {
  const asked = askedIn(search);
  if (asked === null) return null;
  return `Viewers cannot ${VERBS[asked.verb].deed}. Ask an administrator of the platform.`;
}

/** What follows the longest of the words that the text begins with; null if it begins with none. */
function afterOne(text: string, words: readonly string[]): string | null {
  const folded = text.toLowerCase();
  const [word] = words
    .filter((one) => folded === one || folded.startsWith(`${one} `))
    .toSorted((a, b) => b.length - a.length);
  return word === undefined ? null : text.slice(word.length).trim();
}

/** All texts that find a verb for one host or organization. */
export function wordsFor(verb: VerbName, name: string): readonly string[] {
  const { words, of } = VERBS[verb];
  return words.flatMap((word) => [
    `${word} ${name}`,
    ...NOUNS[of].map((noun) => `${word} ${noun} ${name}`),
  ]);
}
