/**
 * Log probabilities on the link. A record of the kind `logprobs` is the length of a JSON text (u32),
 * this JSON with tokens, and text of the answer. The tokens belong to this text or to text of
 * earlier records. Only requests that ask for them have such records. The router parses the JSON and
 * writes its own, so a host writes no byte of it.
 */
/** The most alternatives of a token. */
export const TOP_LOGPROBS_MAX = 20;
/** The most bytes of the tokens of one record, in JSON. A token with all alternatives has less. */
export const LOGPROBS_BYTES_MAX = 32 * 1024;
/** The longest text of a token, in bytes. Longer tokens are left out. */
export const TOKEN_BYTES_MAX = 256;
/** The least log probability: what engines report instead of minus infinity. */
export const LOGPROB_LEAST = -9_999;

const LENGTH_BYTES = 4;

/** A token by the bytes of its text, which may be a part of a character. */
export type Candidate = Readonly<{ logprob: number; bytes: readonly number[] }>;

/** A token of the answer, and the most likely tokens at its place. */
export type TokenLogprob = Candidate & Readonly<{ top_logprobs: readonly Candidate[] }>;

/** Returns the prefixes of as many records as these tokens take. The text of a record follows. */
export function packLogprobs(tokens: readonly TokenLogprob[]): Buffer[] {
  const packed: Buffer[] = [];
  let members: string[] = [];
  let length = 0;
  const close = () => {
    const json = `[${members.join(',')}]`;
    const bytes = Buffer.alloc(LENGTH_BYTES + json.length);
    bytes.writeUInt32LE(json.length);
    bytes.write(json, LENGTH_BYTES, 'latin1');
    packed.push(bytes);
    [members, length] = [[], 0];
  };
  for (const token of tokens) {
    // It consists of numbers and names, so that each character is one byte.
    const member = JSON.stringify(token);
    if (length + member.length + 2 > LOGPROBS_BYTES_MAX) close();
    members.push(member);
    length += member.length + 1;
  }
  if (members.length > 0) close();
  return packed;
}

/** Splits a record. Returns null when it is too short, or its tokens are not as they must be. */
export function unpackLogprobs(
  bytes: Buffer,
): { tokens: readonly TokenLogprob[]; text: Buffer } | null {
  if (bytes.length < LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  if (end > bytes.length || end - LENGTH_BYTES > LOGPROBS_BYTES_MAX) return null;
  const tokens = parsed(bytes.toString('latin1', LENGTH_BYTES, end));
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every(isToken)) return null;
  return { tokens, text: bytes.subarray(end) };
}

/** By hand, because a schema takes most of the time that a token takes in all. */
function isToken(value: unknown): value is TokenLogprob {
  if (!hasCandidate(value, 3)) return false;
  const { top_logprobs: others } = value as Partial<TokenLogprob>;
  const isOther = (other: unknown) => hasCandidate(other, 2);
  return Array.isArray(others) && others.length <= TOP_LOGPROBS_MAX && others.every(isOther);
}

/** Whether it is a candidate with so many members, none of which a host may choose. */
function hasCandidate(value: unknown, members: number): value is Candidate {
  if (typeof value !== 'object' || value === null) return false;
  const { logprob, bytes } = value as Partial<Candidate>;
  return (
    Object.keys(value).length === members &&
    typeof logprob === 'number' &&
    logprob >= LOGPROB_LEAST &&
    logprob <= 0 &&
    Array.isArray(bytes) &&
    bytes.length <= TOKEN_BYTES_MAX &&
    bytes.every(isByte)
  );
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
