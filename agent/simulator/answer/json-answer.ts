/** JSON mode: one valid object, with the keys that the prompt names, if it names any. */
import type { Random } from '../../../shared/random.ts';
import { keyWords, skim } from '../text/reading.ts';
import { sentence } from '../text/sentences.ts';
import type { Json } from './json-schema.ts';

const KEYS_MAX = 12;

export function jsonAnswer(prompt: string, random: Random): string {
  const text = skim(prompt);
  const keys = keysIn(text);
  const names = keys.length > 0 ? keys : ['answer', 'topics', 'confidence'];
  const topics = keyWords(text, 3);
  return JSON.stringify(
    Object.fromEntries(names.map((name) => [name, valueFor(name, topics, random)])),
  );
}

/** Returns the keys that a prompt names: quoted words, else a list after «keys» or «fields». */
function keysIn(text: string): string[] {
  const quoted = [...text.matchAll(/["`“]([A-Za-z_]\w{0,40})["`”]/g)].map(([, key]) => key ?? '');
  const list =
    /\b(?:keys?|fields?|properties)\b:?\s+((?:[A-Za-z_]\w*(?:,\s*(?:and\s+)?|\s+and\s+)?)+)/i.exec(
      text,
    );
  const listed = list?.[1]?.split(/,\s*(?:and\s+)?|\s+and\s+|\s+/) ?? [];
  // One word alone is more likely the next word of a sentence than a key.
  const keys = quoted.length > 0 || listed.length < 2 ? quoted : listed;
  return [...new Set(keys)].slice(0, KEYS_MAX);
}

function valueFor(name: string, topics: readonly string[], random: Random): Json {
  if (/^(is|has|can)_|valid$|ok$/i.test(name)) return true;
  if (/confidence|score|ratio|probability/i.test(name)) return (50 + random.below(50)) / 100;
  if (/count|number|age|year|total|amount|price|quantity/i.test(name)) return 1 + random.below(99);
  if (/(topics|tags|items|list|words|names)$/i.test(name)) {
    return topics.length > 0 ? [...topics] : ['example'];
  }
  return sentence(random);
}
