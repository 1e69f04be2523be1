/**
 * Limits for the control messages of one end of a link: the size of a message by its type, and the
 * rates of messages and of bytes. They are checked before a message is parsed. An end that exceeds
 * them breaks the protocol.
 */
import { AllowedRate } from '../bounds/allowed-rate.ts';
import { type ScanBounds, scan } from '../bounds/json-scan.ts';
import type { Clock } from '../clock.ts';

type Rate = Readonly<{ perSecond: number; burst: number }>;

export type MessageBounds = Readonly<{
  /** The largest message of each type, in bytes. */
  bytesMax: Readonly<Record<string, number>>;
  shape: ScanBounds;
  messages: Rate;
  bytes: Rate;
  /** Types whose bytes have a rate of their own as well. */
  bytesOf?: Readonly<Record<string, Rate>>;
}>;

/** A message must begin with its type. */
const TYPE = /^\{"type":"([a-z_]{1,32})"/;
const TYPE_BYTES = 48;

/** Returns the type that the first bytes of a message name, or an empty string. */
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

  /**
   * Counts one more message. Returns what is wrong with it, in words for its sender, or null if it
   * may be parsed.
   */
  fault(type: string, message: Buffer): string | null {
    const { bytesMax, shape } = this.#bounds;
    const { length } = message;
    if (type === '') return 'a message does not begin with its type';
    if (!Object.hasOwn(bytesMax, type)) return `a message has the unknown type ${type}`;
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
