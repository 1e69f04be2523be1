/**
 * The field types of the management API: names, amounts as exact decimal USD strings, and instants
 * as ISO 8601 in UTC. The messages of fields that people fill in are sentences: forms show them
 * below the field, and the API returns them with the name of the field in `param`.
 */
import { z } from 'zod';
import { REASON_CHARS_MAX } from '../bounds/reason-chars.ts';
import { SEARCH_CHARS_MAX } from '../bounds/search-chars.ts';
import { inPico, PICO_PER_USD, ZERO, parseUsd } from '../money.ts';
import { NOT_PRINTED } from '../printed.ts';
import { Region } from '../region-schema.ts';
import { hasFewMarks, hasVisible, MARKS_MAX } from '../visible-text.ts';

export const PRINTED = new RegExp(`^[^${NOT_PRINTED}]*$`, 'u');
export const PRINTED_FAULT = 'Remove line breaks and other control characters.';
const LINES = new RegExp(`^(?:[^${NOT_PRINTED}]|\\n)*$`, 'u');
const LINES_FAULT = 'Remove control characters. Line breaks may stay.';

/** A text of several lines, of at most so many characters. A line ends with LF, however it was sent. */
export function linesOf(charsMax: number, missing: string) {
  return z
    .string()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .trim()
    .min(1, missing)
    .max(charsMax, `Enter at most ${charsMax.toLocaleString('en')} characters.`)
    .regex(LINES, LINES_FAULT);
}

/** A name of at most so many characters, which may be empty. */
export function nameOf(charsMax: number) {
  return z
    .string()
    .trim()
    .max(charsMax, `Enter at most ${charsMax} characters.`)
    .regex(PRINTED, PRINTED_FAULT)
    .refine(
      (name) => name === '' || hasVisible(name),
      'Enter a name with at least one visible character.',
    )
    .refine(
      hasFewMarks,
      `Enter at most ${MARKS_MAX} accents or invisible characters after each other.`,
    );
}

export const Name = nameOf(100).min(1, 'Enter a name.');
/** A search for organizations or people. */
export const Search = z
  .string()
  .trim()
  .max(SEARCH_CHARS_MAX, `Enter at most ${SEARCH_CHARS_MAX} characters.`)
  .regex(PRINTED, PRINTED_FAULT);
/** Why an operator does something. Each route says who reads it. */
export const Reason = z
  .string()
  .trim()
  .min(1, 'Enter a reason.')
  .max(REASON_CHARS_MAX, `Enter at most ${REASON_CHARS_MAX} characters.`)
  .regex(PRINTED, PRINTED_FAULT);
/** Accepts upper and lower case, such as `EU`. The API always returns lower case. */
export const RegionName = z
  .string()
  .toLowerCase()
  .pipe(Region)
  .meta({ pattern: '^(?:[Gg][Ll][Oo][Bb][Aa][Ll]|[Uu][Ss]|[Ee][Uu])$', examples: ['eu'] });
export const usd = z.string();
export const instant = z.iso.datetime();
/** An instant of a query, which is parsed to ms since the epoch. */
export const askedInstant = instant.transform((text) => Date.parse(text));
export const count = z.int().nonnegative();

/** An amount that is owned or owed. No account goes beyond USD 4 million. */
export const UsdAmount = decimalUsd(
  4_000_000n * PICO_PER_USD,
  'Enter an amount from $0 to $4,000,000, such as 250 or 0.5.',
  String.raw`^(?:[0-3]?[0-9]{1,6}(?:\.[0-9]{1,12})?|4000000(?:\.0{1,12})?)$`,
);

/** The most that may be spent in a month or a day, read as pico-USD. Null: no cap. */
export const Cap = UsdAmount.transform(inPico).nullable();

/**
 * Returns a schema for an amount of 0 to `most` (pico-USD), as a decimal USD string. The schema
 * checks the amount itself; `pattern` is only for the API's description.
 */
export function decimalUsd(
  most: bigint,
  fault: string,
  pattern = String.raw`^[0-9]{1,7}(?:\.[0-9]{1,12})?$`,
) {
  return z
    .string()
    .refine((text) => {
      const amount = parseUsd(text);
      return amount !== null && amount >= ZERO && amount <= most;
    }, fault)
    .meta({ pattern });
}

const LIMIT_FAULT = 'Enter a whole number above 0.';
const limit = z.int(LIMIT_FAULT).positive(LIMIT_FAULT).nullable();
const limits = {
  requests_per_minute: limit,
  /** Prompt and completion tokens together. */
  tokens_per_minute: limit,
  concurrent_requests: limit,
};
/** Null means the default in the router's configuration. */
export const Limits = z.object(limits);
export type Limits = z.infer<typeof Limits>;
/** Only the limits that are given change. */
export const LimitsChange = z.strictObject(limits).partial();
export type LimitsChange = z.infer<typeof LimitsChange>;
