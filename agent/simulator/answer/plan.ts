/**
 * Decides what the simulated model answers: reasoning, then calls, JSON or prose, in the requested
 * length.
 */
import type { Thinking } from '../../../shared/catalog.ts';
import { type Random, seededRandom } from '../../../shared/random.ts';
import { MARKER } from '../text/chat-template.ts';
import { Passage, type PassageInput } from '../text/passage.ts';
import { keyWords, skim, wantedLength } from '../text/reading.ts';
import { capitalized } from '../text/sentences.ts';
import { jsonAnswer } from './json-answer.ts';
import { type ThinkingInput, thoughtTokens } from './reasoning.ts';
import { marker, prose, repeated, Script, type Source, verbatim } from './script.ts';
import type { Step } from './steps.ts';
import { callSources, chooseCalls, type ToolInput } from './tool-calls.ts';

export interface Length {
  readonly maxTokens: number;
  readonly minTokens: number;
  readonly ignoreEos: boolean;
}

export interface ChatPlanInput {
  readonly prompt: string;
  readonly length: Length;
  readonly json: boolean;
  readonly tools: ToolInput;
  /** What the prompt dictates, if anything. */
  readonly step: Step | null;
  readonly profile: Thinking | null;
  readonly thinking: ThinkingInput;
}

const USUAL_WORDS = 45;
const USUAL_WORDS_SPREAD = 31;
/** The most tokens of a word, including its comma or full stop. Most words have one token. */
const TOKENS_PER_WORD_MAX = 4;

export function planChat(input: ChatPlanInput, random: Random): Script {
  const { length } = input;
  const prompt = skim(input.prompt);
  const wish = wantedLength(prompt);
  let thought = thoughtTokens(input.profile, input.thinking, prompt, random);
  if (thought !== null && wish?.kind === 'tokens') {
    // The wanted tokens are the total. Half of them may be reasoning.
    thought = wish.tokens < 2 ? null : Math.min(thought, Math.floor((wish.tokens - 2) / 2));
  }
  const thinking = thought === null ? [] : thoughtSources(thought, prompt, random);
  const { step } = input;
  if (step && 'say' in step) return new Script([...thinking, verbatim('content', step.say)]);
  const calls = step
    ? [{ name: step.call, arguments: JSON.stringify(step.arguments) }]
    : chooseCalls(input.tools);
  if (calls.length > 0) {
    return new Script([...thinking, ...callSources(calls)]);
  }
  if (input.json) {
    const text = jsonAnswer(prompt, random);
    // An answer that may not end after its last brace continues with white space, as constrained
    // decoding does.
    const padding = length.ignoreEos ? length.maxTokens : length.minTokens;
    return new Script([...thinking, verbatim('content', text), repeated('content', ' ', padding)]);
  }
  const start = { opening: openingOf(prompt) };
  const thinkingTokens = thought === null ? 0 : thought + 1;
  return new Script([...thinking, proseBody(prompt, { length, thinkingTokens, start }, random)]);
}

/** Plans a text completion: it continues the prompt, without reasoning or tools. */
export function planText(input: { prompt: string; length: Length }, random: Random): Script {
  const prompt = skim(input.prompt);
  const start = { continues: /\S$/.test(prompt) };
  return new Script([
    proseBody(prompt, { length: input.length, thinkingTokens: 0, start }, random),
  ]);
}

/**
 * Returns the random numbers for an answer, seeded so that the same request gives the same text.
 */
export function answerRandom(engineSeed: number, seed: number | null, prompt: Int32Array): Random {
  let hash = 0x811c9dc5 ^ engineSeed;
  const mix = (value: number): void => {
    hash = Math.imul(hash ^ value, 0x01000193);
    hash ^= hash >>> 15;
  };
  for (const token of prompt) mix(token);
  mix(seed === null ? 0x5eed : seed | 0);
  if (seed !== null) mix(Math.floor(seed / 2 ** 32));
  return seededRandom(hash);
}

interface BodyInput {
  readonly length: Length;
  readonly thinkingTokens: number;
  readonly start: Omit<PassageInput, 'words'>;
}

function proseBody(
  prompt: string,
  { length, thinkingTokens, start }: BodyInput,
  random: Random,
): Source {
  const { minTokens, ignoreEos } = length;
  if (ignoreEos) {
    const passage = new Passage(random, { ...start, words: Infinity });
    return prose('content', passage, { atLeast: Infinity, atMost: Infinity });
  }
  const wish = wantedLength(prompt);
  const least = Math.max(0, minTokens - thinkingTokens);
  if (wish?.kind === 'tokens') {
    // The END token is one of them.
    const tokens = Math.max(least, wish.tokens - thinkingTokens - 1, 0);
    const passage = new Passage(random, { ...start, words: Infinity });
    return prose('content', passage, { atLeast: tokens, atMost: tokens });
  }
  const words = wish?.words ?? USUAL_WORDS + random.below(USUAL_WORDS_SPREAD);
  const atMost = Math.max(least, words * TOKENS_PER_WORD_MAX);
  const passage = new Passage(random, { ...start, words });
  return prose('content', passage, { atLeast: least, atMost });
}

function openingOf(prompt: string): string | undefined {
  const topics = keyWords(prompt, 2);
  return topics.length === 0
    ? undefined
    : `${capitalized(topics.join(' and '))}: here is what matters.`;
}

function thoughtSources(tokens: number, prompt: string, random: Random): Source[] {
  const [topic] = keyWords(prompt, 1);
  const opening = `The user asks about ${topic ?? 'something'}, so let me think.`;
  const passage = new Passage(random, { opening, words: Infinity });
  const span = { atLeast: tokens, atMost: tokens };
  return [prose('reasoning', passage, span), marker(MARKER.thinkEnd)];
}
