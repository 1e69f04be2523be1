import { picoOf } from './format/usd.ts';

/**
 * Returns the credit that an organization gets when the person who signs up confirms their email,
 * in USD. Null when there is none. The router writes it into the page.
 */
export function welcomeCredit(): string | null {
  const amount = document.querySelector<HTMLMetaElement>('meta[name=welcome-credit]')?.content;
  if (amount === undefined || !/^\d+(\.\d+)?$/.test(amount)) return null;
  return picoOf(amount) > 0n ? amount : null;
}
