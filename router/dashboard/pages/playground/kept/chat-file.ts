/**
 * A chat as JSON: as it is kept in the browser, and as people share it. Files come from anybody, so
 * every part of them is checked.
 */
import { z } from 'zod/mini';
import { type Answer, IDLE, isUnderWay } from '../answer.ts';
import { messagesOf } from '../body.ts';
import type { Body } from '../request.ts';
import { EFFORTS, NUMBERS, type Settings } from '../settings.ts';
import { TextBuffer } from '../text-buffer.ts';
import { type Lane, LANES, type Prompt, type Step, type Turn } from '../turns.ts';

/** The most of each part that is read from a file. A chat of this size still works well. */
const TURNS_MAX = 1_000;
const STEPS_MAX = 100;
/** Each answer keeps the conversation before it, so the memory grows with the square of this. */
const STEPS_IN_ALL_MAX = 1_000;
const IMAGES_MAX = 100;
const LIST_MAX = 1_000;
const NAME_CHARS_MAX = 256;
const TEXT_CHARS_MAX = 4_000_000;
const IMAGE_CHARS_MAX = 12_000_000;
/** No page is open for thirty years, and a longer time would not fit where it is shown. */
const TIME_MS_MAX = 1e12;
/** Deeper JSON could exhaust the stack of the code that shows it. */
const LEVELS_MAX = 32;

const name = z.string().check(z.maxLength(NAME_CHARS_MAX));
const text = z.string().check(z.maxLength(TEXT_CHARS_MAX));
const number = z.number();
const timeMs = z.number().check(z.nonnegative(), z.maximum(TIME_MS_MAX));
const shallow = z.unknown().check(z.refine((value) => isShallow(value, LEVELS_MAX)));

const SettingsFile = z.object({
  system: text,
  numbers: z.partialRecord(z.enum(NUMBERS.map((one) => one.name)), name),
  stop: text,
  effort: z.enum(['', ...EFFORTS]),
  json: z.boolean(),
  tools: text,
  toolChoice: z.enum(['auto', 'required', 'none']),
});

const lane = z.enum(LANES);

const LaneFile = z.object({ lane, model: name, settings: SettingsFile });

const ImageFile = z.object({
  name,
  url: z
    .string()
    .check(
      z.maxLength(IMAGE_CHARS_MAX),
      z.regex(/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]*$/),
    ),
  bytes: number,
});

const CallFile = z.object({ id: name, name, arguments: text });

/** A number of tokens, of which a cost is computed. */
const tokens = z.int().check(z.nonnegative());

const UsageFile = z.object({
  prompt: tokens,
  cached: z.nullable(tokens),
  completion: tokens,
  reasoning: z.nullable(tokens),
});

const AnswerFile = z.object({
  phase: z.enum(['idle', 'asking', 'streaming', 'done', 'stopped', 'failed', 'cut']),
  part: z.nullable(z.enum(['reasoning', 'text', 'tools'])),
  askedAt: timeMs,
  firstAt: z.nullable(timeMs),
  endedAt: z.nullable(timeMs),
  thinkingSince: z.nullable(timeMs),
  thoughtMs: timeMs,
  requestId: z.nullable(name),
  keyId: z.nullable(name),
  finish: z.nullable(name),
  usage: z.nullable(UsageFile),
  calls: z.array(CallFile).check(z.maxLength(LIST_MAX)),
  fault: z.nullable(z.object({ status: number, code: name, message: text })),
});

const StepFile = z.object({
  model: name,
  /** The parameters of the request. Its messages are those of the chat before it. */
  parameters: z.record(name, shallow),
  system: z.nullable(text),
  withImages: z.boolean(),
  leftOut: z.array(name).check(z.maxLength(LIST_MAX)),
  text,
  thoughts: text,
  answer: AnswerFile,
  results: z.nullable(z.array(text).check(z.maxLength(LIST_MAX))),
});
type StepFile = z.infer<typeof StepFile>;

const TurnFile = z.object({
  prompt: z.object({ text, images: z.array(ImageFile).check(z.maxLength(IMAGES_MAX)) }),
  steps: z.partialRecord(lane, z.array(StepFile).check(z.maxLength(STEPS_MAX))),
});

const ChatFile = z.object({
  penstock_chat: z.literal(1),
  lanes: z.array(LaneFile).check(
    z.minLength(1),
    z.maxLength(LANES.length),
    z.refine((lanes) => new Set(lanes.map((one) => one.lane)).size === lanes.length),
  ),
  turns: z.array(TurnFile).check(z.maxLength(TURNS_MAX)),
});
export type ChatFile = z.infer<typeof ChatFile>;

export type KeptLane = Readonly<{ lane: Lane; model: string; settings: Settings }>;
export type KeptChat = Readonly<{ lanes: readonly KeptLane[]; turns: readonly Turn[] }>;

export function fileOf({ lanes, turns }: KeptChat): ChatFile {
  return {
    penstock_chat: 1,
    lanes: lanes.map((one) => ({ ...one, settings: { ...one.settings } })),
    turns: turns.map(({ prompt, steps }) => ({
      prompt: { text: prompt.text, images: prompt.images.map((image) => ({ ...image })) },
      steps: mapped(steps, (all) => all.map(stepFile)),
    })),
  };
}

function stepFile(step: Step): StepFile {
  const { model, messages, ...parameters } = step.body;
  const [first] = messages;
  return {
    model,
    parameters,
    system: first?.role === 'system' ? first.content : null,
    withImages: messages.some(({ role, content }) => role === 'user' && Array.isArray(content)),
    leftOut: [...step.leftOut],
    text: step.text.text,
    thoughts: step.thoughts.text,
    answer: {
      ...step.answer,
      usage: step.answer.usage && { ...step.answer.usage },
      calls: [...step.answer.calls],
      fault: step.answer.fault && { ...step.answer.fault },
    },
    results: step.results === null ? null : [...step.results],
  };
}

/** Returns the chat of a file, or null when the file is not one. */
export function chatOf(file: unknown): KeptChat | null {
  const read = ChatFile.safeParse(file);
  if (!read.success) return null;
  const kept = read.data.turns.flatMap((turn) => Object.values(turn.steps).flat());
  if (kept.length > STEPS_IN_ALL_MAX) return null;
  let lastId = 0;
  const newId = () => (lastId += 1);
  const turns: Turn[] = [];
  for (const { prompt, steps } of read.data.turns) {
    const id = newId();
    const restored = mapped(steps, (all, of) => {
      const done: Step[] = [];
      for (const one of all) {
        const before = [...turns, { id, prompt, steps: { [of]: [...done] } }];
        done.push(stepOf(newId(), one, { turns: before, lane: of }));
      }
      return done;
    });
    turns.push({ id, prompt, steps: restored });
  }
  return { lanes: read.data.lanes, turns };
}

function stepOf(
  id: number,
  file: StepFile,
  before: Readonly<{ turns: readonly Turn[]; lane: Lane }>,
): Step {
  const { model, parameters, system, withImages, leftOut, answer, results } = file;
  const said = messagesOf(before, withImages).messages;
  const messages = system === null ? said : [{ role: 'system', content: system }, ...said];
  return {
    id,
    model,
    // The parameters are shown as code and never sent.
    body: { ...parameters, model, messages } as unknown as Body,
    leftOut,
    text: TextBuffer.of(file.text),
    thoughts: TextBuffer.of(file.thoughts),
    answer: endedAnswer({ ...IDLE, ...answer }),
    results,
  };
}

/** An answer that was in flight ended when its page was left. */
function endedAnswer(answer: Answer): Answer {
  if (!isUnderWay(answer) && answer.phase !== 'idle') return answer;
  return { ...answer, phase: 'stopped', thinkingSince: null };
}

function mapped<From, To>(
  steps: Readonly<Partial<Record<Lane, From>>>,
  change: (value: From, lane: Lane) => To,
): Partial<Record<Lane, To>> {
  const result: Partial<Record<Lane, To>> = {};
  for (const one of LANES) {
    const value = steps[one];
    if (value !== undefined) result[one] = change(value, one);
  }
  return result;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}

const TITLE_CHARS_MAX = 60;

/** The start of the first prompt. */
export function titleOf(turns: readonly Readonly<{ prompt: Prompt }>[]): string {
  const [line = ''] = (turns[0]?.prompt.text ?? '').trim().split('\n', 1);
  if (line === '') return 'Image';
  return line.length > TITLE_CHARS_MAX ? `${line.slice(0, TITLE_CHARS_MAX).trimEnd()}…` : line;
}

/** About how many bytes a chat takes in the browser's storage. */
export function bytesOf({ turns, lanes }: ChatFile): number {
  const ofTurns = turns.flatMap(({ prompt, steps }) => [
    prompt.text.length,
    ...prompt.images.map(({ url }) => url.length),
    ...Object.values(steps)
      .flat()
      .map((step) => step.text.length + step.thoughts.length + (step.system?.length ?? 0)),
  ]);
  const ofLanes = lanes.map(({ settings }) => settings.system.length + settings.tools.length);
  return [...ofTurns, ...ofLanes].reduce((sum, length) => sum + length, 0);
}
