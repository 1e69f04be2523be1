/**
 * How much one end of a link may have the other read of control messages: how large one is by its type, and how many
 * come and of how many bytes. All of it is known before a message is parsed. Whoever exceeds it breaks the protocol.
 */
import { AllowedRate } from '../bounds/allowed-rate.ts';
import { type ScanBounds, scan } from '../bounds/json-scan.ts';
import type { Clock } from '../clock.ts';

type Rate = Readonly<{ perSecond: number; burst: number }>;

export type MessageBounds = Readonly<{
  /** The largest message of each type. */
  bytesMax: Readonly<Record<string, number>>;
  shape: ScanBounds;
  messages: Rate;
  bytes: Rate;
  /** Types whose bytes have a rate of their own, too. */
  bytesOf?: Readonly<Record<string, Rate>>;
}>;

/** A message is written with its type first. */
const TYPE = /^\{"type":"([a-z_]{1,32})"/;
const TYPE_BYTES = 48;

/** The type that a message has by its first bytes; empty where they name none. */
export function typeOf(message: Buffer): string {
  return TYPE.exec(message.toString('latin1', 0, TYPE_BYTES))?.[1] ?? '';
}

export class MessageBudget {
  readonly #bounds: MessageBounds;
  readonly #messages: AllowedRate;
  readonly #bytes: AllowedRate;
  readonly #bytesOf: ReadonlyMap<string, AllowedRate>;

  constructor(clock: Clock, bounds: MessageBounds) {
    this.#bounds = bounds;
    this.#messages = new AllowedRate(clock, bounds.messages);
    this.#bytes = new AllowedRate(clock, bounds.bytes);
    this.#bytesOf = new Map(
      Object.entries(bounds.bytesOf ?? {}).map(([type, rate]) => [
        type,
        new AllowedRate(clock, rate),
      ]),
    );
  }

  /** What is wrong with another message, in words for its sender; null: it may be parsed. */
  fault(type: string, message: Buffer): string | null {
    const { bytesMax, shape } = this.#bounds;
    const { length } = message;
    if (!Object.hasOwn(bytesMax, type)) return 'a message does not begin with its type';
    if (length > (bytesMax[type] as number)) return `a message of type ${type} is too large`;
    if (!this.#messages.spend(1)) return 'too many messages in a short time';
    if (!this.#bytes.spend(length) || this.#bytesOf.get(type)?.spend(length) === false) {
      return `too many bytes of messages in a short time, the last of type ${type}`;
    }
    if (scan(message, shape).exceeded !== null) {
      return `a message of type ${type} has too many values`;
    }
    return null;
  }
}
