/**
 * Reads MessagePack in place, and skips what nobody needs without building it: the token ids of a
 * batch are nine tenths of its bytes. A value may claim any length and any depth, so nothing is
 * allocated for a claim, and nothing recurses. Throws MsgpackError where the bytes end too early.
 */
export class MsgpackError extends Error {
  override name = 'MsgpackError';
}

type Kind = 'array' | 'map' | 'bytes' | 'integer' | 'double' | 'other';

/** The number of low bits of an integer, or of a hash, that are kept: they fit a number exactly. */
export const KEPT = 2 ** 52;
const LOW = 2 ** 32;
const HIGH_MASK = 2 ** 20 - 1;
const HASH_BYTES = 8;
const TEXT_BYTES_MAX = 64;

export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** Of the value that was opened last: its items, pairs or bytes that follow. */
  #length = 0;
  /** Of the integer that was opened last, if its value is in its first byte. */
  #inline = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Opens an array, and returns how many items follow. */
  array(): number {
    if (this.#open() !== 'array') throw new MsgpackError('an array was expected');
    return this.#length;
  }

  /** Opens an array or a map. `length` counts the items of an array, or the pairs of a map. */
  container(): { isMap: boolean; length: number } {
    const kind = this.#open();
    if (kind !== 'array' && kind !== 'map') throw new MsgpackError('a container was expected');
    return { isMap: kind === 'map', length: this.#length };
  }

  /** Reads a short text. Returns null, and skips the value, if it is anything else. */
  text(): string | null {
    const kind = this.#open();
    if (kind !== 'bytes' || this.#length > TEXT_BYTES_MAX) return this.#skipOpened(kind);
    const from = this.#advance(this.#length);
    return this.#bytes.toString('latin1', from, this.#at);
  }

  /** Reads the kept bits of an integer. Returns null, and skips the value, if it is none. */
  integer(): number | null {
    const kind = this.#open();
    return kind === 'integer' ? this.#integer() : this.#skipOpened(kind);
  }

  /** Reads the kept bits of a hash: an integer, or the beginning of a string of bytes. */
  hash(): number {
    const kind = this.#open();
    if (kind === 'integer') return this.#integer();
    if (kind !== 'bytes' || this.#length < HASH_BYTES) {
      throw new MsgpackError('a hash is neither an integer nor a string of bytes');
    }
    return this.#low(this.#advance(this.#length), HASH_BYTES);
  }

  /** Reads a float of 64 bits, which is what Python writes, or an integer. */
  number(): number {
    const kind = this.#open();
    if (kind === 'integer') return this.#integer();
    if (kind !== 'double') throw new MsgpackError('a number was expected');
    return this.#bytes.readDoubleBE(this.#advance(this.#length));
  }

  /** Skips whole values. */
  skip(values: number): void {
    // Each value takes at least one byte, so a false claim ends where the bytes end.
    for (let left = values; left > 0; left--) {
      const kind = this.#open();
      if (kind === 'array') left += this.#length;
      else if (kind === 'map') left += 2 * this.#length;
      else this.#advance(this.#length);
    }
  }

  #skipOpened(kind: Kind): null {
    if (kind === 'array') this.skip(this.#length);
    else if (kind === 'map') this.skip(2 * this.#length);
    else this.#advance(this.#length);
    return null;
  }

  #integer(): number {
    const bytes = this.#length;
    return bytes === 0 ? this.#inline : this.#low(this.#advance(bytes), bytes);
  }

  #low(from: number, bytes: number): number {
    if (bytes < HASH_BYTES) return this.#bytes.readUIntBE(from, bytes);
    const high = this.#bytes.readUInt32BE(from) & HIGH_MASK;
    return high * LOW + this.#bytes.readUInt32BE(from + 4);
  }

  /** Moves past so many bytes, and returns where they begin. */
  #advance(bytes: number): number {
    const from = this.#at;
    if (from + bytes > this.#bytes.length) throw new MsgpackError('it is cut short');
    this.#at = from + bytes;
    return from;
  }

  #unsigned(bytes: number): number {
    return this.#bytes.readUIntBE(this.#advance(bytes), bytes);
  }

  #opened(kind: Kind, length: number): Kind {
    this.#length = length;
    return kind;
  }

  /** Reads the head of the next value. */
  #open(): Kind {
    const type = this.#unsigned(1);
    if (type < 0x80 || type >= 0xe0) {
      this.#inline = type;
      return this.#opened('integer', 0);
    }
    if (type < 0x90) return this.#opened('map', type & 0x0f);
    if (type < 0xa0) return this.#opened('array', type & 0x0f);
    if (type < 0xc0) return this.#opened('bytes', type & 0x1f);
    switch (type) {
      case 0xc0:
      case 0xc2:
      case 0xc3:
        return this.#opened('other', 0);
      case 0xc4:
      case 0xd9:
        return this.#opened('bytes', this.#unsigned(1));
      case 0xc5:
      case 0xda:
        return this.#opened('bytes', this.#unsigned(2));
      case 0xc6:
      case 0xdb:
        return this.#opened('bytes', this.#unsigned(4));
      case 0xc7:
        return this.#opened('other', this.#unsigned(1) + 1);
      case 0xc8:
        return this.#opened('other', this.#unsigned(2) + 1);
      case 0xc9:
        return this.#opened('other', this.#unsigned(4) + 1);
      case 0xca:
        return this.#opened('other', 4);
      case 0xcb:
        return this.#opened('double', 8);
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return this.#opened('integer', 1 << (type - 0xcc));
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return this.#opened('integer', 1 << (type - 0xd0));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#opened('other', (1 << (type - 0xd4)) + 1);
      case 0xdc:
        return this.#opened('array', this.#unsigned(2));
      case 0xdd:
        return this.#opened('array', this.#unsigned(4));
      case 0xde:
        return this.#opened('map', this.#unsigned(2));
      case 0xdf:
        return this.#opened('map', this.#unsigned(4));
      default:
        throw new MsgpackError('a type does not exist');
    }
  }
}
