/**
 * Log probabilities on the link. A record of the kind `logprobs` is the length of a JSON text (u32),
 * this JSON with tokens, and text of the answer. The tokens belong to this text or to text of
 * earlier records. Only requests that ask for them have such records. The router parses the JSON and
 * writes its own, so a host writes no byte of it.
 */
import { z } from 'zod';

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
const Candidate = z.strictObject({
  logprob: z.number().min(LOGPROB_LEAST).max(0),
  bytes: z.array(z.int().min(0).max(255)).max(TOKEN_BYTES_MAX),
});
export type Candidate = z.infer<typeof Candidate>;

const Tokens = z
  .array(Candidate.extend({ top_logprobs: z.array(Candidate).max(TOP_LOGPROBS_MAX) }))
  .nonempty();
/** A token of the answer, and the most likely tokens at its place. */
export type TokenLogprob = z.infer<typeof Tokens>[number];

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
  const tokens = Tokens.safeParse(parsed(bytes.toString('utf8', LENGTH_BYTES, end)));
  return tokens.success ? { tokens: tokens.data, text: bytes.subarray(end) } : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
