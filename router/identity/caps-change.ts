/** A change of spending caps, of an API key and of a member alike. */
import type { PicoUsd } from '../../shared/money.ts';

/**
 * The most that a key, or all keys of a member together, may spend in a calendar month and in a day
 * (UTC). Absent caps stay unchanged; null: no cap.
 */
export type CapsChange = Readonly<{
  monthlyCap?: PicoUsd | null | undefined;
  dailyCap?: PicoUsd | null | undefined;
}>;
