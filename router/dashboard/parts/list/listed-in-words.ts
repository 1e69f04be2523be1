/** How many rows a list has, as far as they are read. */
import { shownCount } from '../../format/count.ts';

type List = Readonly<{ data: readonly unknown[] | undefined; hasNextPage: boolean }>;

/** "3 people", or "The first 50 people" if there are more. Undefined: not read yet, or none. */
export function listedInWords(
  { data, hasNextPage }: List,
  one: string,
  several: string,
): string | undefined {
  if (data === undefined || data.length === 0) return undefined;
  const counted = `${shownCount(data.length)} ${data.length === 1 ? one : several}`;
  return hasNextPage ? `The first ${counted}` : counted;
}
