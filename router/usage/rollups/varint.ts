/** Varints: whole numbers of zero or more, seven bits a byte, the lowest first. */

export class VarintReader {
  protected readonly bytes: Uint8Array;
  protected at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  protected varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 128;
    do {
      byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte >= 0x80);
    return value;
  }
}

/** Writes a varint at `start`, and returns where it ends. */
export function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  if (!(value >= 0 && Number.isFinite(value))) throw new Error(`a cell cannot hold ${value}`);
  let at = start;
  let rest = value;
  while (rest >= 0x80) {
    bytes[at++] = 0x80 | (rest % 128);
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}
