/**
 * Canaries: prompts of the router's own, sent to the hosts of a model. The counts of the hosts have
 * to agree. Canaries are off unless configured. They belong to no customer, hold no credit and
 * leave no usage row. The hosts are not paid for them.
 */
import type { Clock } from '../../shared/clock.ts';
import { mintId } from '../../shared/ids.ts';
import type { Random } from '../../shared/random.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { chatBody, sendOwnRequest } from '../fleet/own-request.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Alarms } from './alarms.ts';
import { fairMedian } from './fair-median.ts';
import { Recounts } from './recounts.ts';

const WORKERS_MAX = 16;
const WORDS = { least: 60, most: 400 } as const;
const ANSWER_TOKENS = 16;
const ANSWER_MS_MAX = 60_000;

export type CanaryParts = Readonly<{
  fleet: Pick<Fleet, 'workers'>;
  alarms: Alarms;
  clock: Clock;
  random: Random;
}>;

/** The prompt tokens that a worker reported. */
type Answer = Readonly<{ worker: Worker; prompt: number }>;

export class Canaries implements Disposable {
  readonly #parts: CanaryParts;
  readonly #recounts = new Recounts('canary');
  readonly #timer;
  #underWay = false;

  constructor(everyMs: number, parts: CanaryParts) {
    this.#parts = parts;
    this.#timer = parts.clock.every(everyMs, () => void this.round());
  }

  /** Sends one prompt to the workers of one model that have room, `WORKERS_MAX` at most. */
  async round(): Promise<void> {
    if (this.#underWay) return;
    const { fleet, random } = this.#parts;
    const idle = [...fleet.workers].filter(({ phase, hasRoom }) => phase === 'ready' && hasRoom);
    const models = [...new Set(idle.flatMap(({ models: served }) => [...served]))];
    const model = models[random.below(models.length)];
    if (model === undefined) return;
    const workers = someOf(
      idle.filter(({ models: served }) => served.has(model)),
      random,
    );
    if (new Set(workers.map(({ agent }) => agent)).size < 2) return;
    this.#underWay = true;
    const body = this.#prompt(model);
    const answers = await Promise.all(workers.map((worker) => this.#ask(worker, model, body)));
    this.#underWay = false;
    this.#compare(
      model,
      answers.filter((answer) => answer !== null),
    );
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #compare(model: string, answers: readonly Answer[]): void {
    for (const { worker, prompt } of answers) {
      const others = answers.filter((other) => other.worker.agent !== worker.agent);
      const counted = fairMedian(
        others.map((other) => other.prompt),
        'high',
      );
      if (counted === null) continue;
      const subject = { worker: worker.id, agent: worker.agent, model };
      const figures = { reported: prompt, counted, referee: 'others', agents: ['others'] };
      const alarm = this.#recounts.compare(subject, 'prompt', figures);
      if (alarm) this.#parts.alarms.raise(alarm);
    }
  }

  /** Sends a request that looks like the request of a customer. */
  #ask(worker: Worker, model: string, body: Buffer): Promise<Answer | null> {
    const { clock, random } = this.#parts;
    const id = mintId('request', clock, random);
    const request = {
      id,
      completionId: `chatcmpl-${id.slice('req_'.length)}`,
      model,
      body,
      promptTokens: Math.ceil(body.length / 4),
      maxTokens: ANSWER_TOKENS,
      salt: Buffer.from(random.bytes(16)).toString('hex'),
      answerMsMax: ANSWER_MS_MAX,
    };
    return new Promise((resolve) =>
      sendOwnRequest(worker, clock, request, (answer) => {
        const isWhole = typeof answer === 'object' && answer.end.outcome === 'finished';
        const prompt = isWhole ? answer.promptTokens : 0;
        resolve(prompt > 0 ? { worker, prompt } : null);
      }),
    );
  }

  #prompt(model: string): Buffer {
    const { random } = this.#parts;
    const length = WORDS.least + random.below(WORDS.most - WORDS.least);
    const words = Array.from({ length }, () => VOCABULARY[random.below(VOCABULARY.length)]);
    return chatBody(model, `Sum up: ${words.join(' ')}.`, ANSWER_TOKENS);
  }
}

/** A random selection: a worker that joins last is selected as often as the first. */
function someOf(workers: readonly Worker[], random: Random): Worker[] {
  const rest = [...workers];
  const some: Worker[] = [];
  while (some.length < WORKERS_MAX && rest.length > 0) {
    some.push(...rest.splice(random.below(rest.length), 1));
  }
  return some;
}

const VOCABULARY = (
  'the of and to in is was for on as with by at from that it his her which or had be not are but ' +
  'this also have one first new two their after who they its been time year more other about when ' +
  'than up into some could there use water work part place made live back little only round man ' +
  'came show every good give under name very through form sentence great think say help low line ' +
  'differ turn cause much mean before move right boy old too same tell does set three want air ' +
  'well play small end put home read hand port large spell add even land here must big high such'
).split(' ');
