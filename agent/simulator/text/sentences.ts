/**
 * Generates English sentences from a seeded generator: plain, readable, now and then with an accent
 * or an emoji.
 */
import type { Random } from '../../../shared/random.ts';

const SUBJECTS = [
  'the engineer',
  'a patient gardener',
  'the old harbour',
  'every river',
  'the night train',
  'a small team',
  'the lighthouse',
  'my neighbour',
  'the café on the corner',
  'a careful reader',
  'the morning tide',
  'the library',
  'a quiet village',
  'the baker',
  'the orchestra',
  'a young sailor',
  'the mountain road',
  'the naïve plan',
] as const;

const VERBS = [
  'carries',
  'measures',
  'follows',
  'keeps',
  'repairs',
  'remembers',
  'changes',
  'opens',
  'guards',
  'crosses',
  'finds',
  'shapes',
  'reads',
  'moves',
  'explains',
  'welcomes',
] as const;

const OBJECTS = [
  'the water',
  'a long story',
  'the first light',
  'the heavy gate',
  'a simple rule',
  'the whole valley',
  'the old map',
  'a steady rhythm',
  'the small details',
  'the broken clock',
  'a new answer',
  'the winter grain',
  'the façade of the hall',
  'a clear signal',
  'the stone bridge',
  'the early boats',
] as const;

const TAILS = [
  'before the sun is up',
  'without any hurry',
  'at the end of the day',
  'when the wind turns',
  'for those who come later',
  'in the middle of the town',
  'as it always has',
  'with great care',
  'and nobody minds',
  'because it has to be done',
  'one step at a time',
  'from spring to autumn',
] as const;

const OPENERS = [
  'In practice',
  'After a while',
  'Most of the time',
  'At first',
  'In the end',
  'Even so',
  'Year after year',
  'By and large',
] as const;

const LINKS = ['and', 'but', 'while', 'so'] as const;
const ORNAMENTS = ['🌊', '🙂', '⚙️', '🌿'] as const;

function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[random.below(items.length)] ?? items[0];
}

function clause(random: Random): string {
  return `${pick(random, SUBJECTS)} ${pick(random, VERBS)} ${pick(random, OBJECTS)}`;
}

/** One sentence, with its full stop. */
export function sentence(random: Random): string {
  const opener = random.below(4) === 0 ? `${pick(random, OPENERS)}, ` : '';
  const second = random.below(3) === 0 ? `, ${pick(random, LINKS)} ${clause(random)}` : '';
  const tail = random.below(2) === 0 ? ` ${pick(random, TAILS)}` : '';
  const ornament = random.below(12) === 0 ? ` ${pick(random, ORNAMENTS)}` : '';
  return `${capitalized(`${opener}${clause(random)}${second}${tail}`)}.${ornament}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
