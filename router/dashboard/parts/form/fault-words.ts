/** What to do about a value that the browser does not accept, by the attributes of its control. */
import { utcDate } from '../../format/utc.ts';

/** `example`: what the field shows while it is empty. */
export function fullUrl(example: string): string {
  return `Enter a full URL, such as ${example === '' ? 'https://example.com' : example}.`;
}

const TIME = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
});

const SIDES = {
  min: { others: 'a later', numbers: 'more' },
  max: { others: 'an earlier', numbers: 'less' },
} as const;

/**
 * Names the nearest value that is allowed. `type`: that of the control. `bound`: its smallest or
 * largest value, as HTML writes it.
 */
export function outOfRange(type: string, side: 'min' | 'max', bound: string): string {
  const { others, numbers } = SIDES[side];
  if (type === 'date') return `Enter ${utcDate(bound)} or ${others} day.`;
  if (type !== 'datetime-local') return `Enter ${bound} or ${numbers}.`;
  // It has no zone, and is formatted as it is written.
  return `Enter ${TIME.format(new Date(`${bound}Z`))} or ${others} time.`;
}
