/** Lists come in pages, newest first. `next` of one page is `after` of the following one. */
import { z } from 'zod';
import { FILTER_VALUES_MAX } from '../bounds/filter-values.ts';
import type { KeyId } from '../ids.ts';

export const PAGE_ROWS_MAX = 1_000;
export const FOREIGN_CURSOR = 'This cursor does not belong to this list.';
const OTHER_SORT = 'This cursor belongs to another sort or order of this list.';

const limit = z.coerce
  .number()
  .pipe(z.int().min(1).max(PAGE_ROWS_MAX))
  .default(100)
  .meta({ type: 'integer', minimum: 1, maximum: PAGE_ROWS_MAX });

/** Returns the schema of a list's query parameters. `after` is the list's own kind of cursor. */
export function pageQuery<Cursor extends z.ZodType>(after: Cursor) {
  return z.strictObject({ limit, after: after.optional() });
}

/** A cursor of a list that is numbered without gaps: the number of the last row of the page. */
export const SequenceCursor = z
  .string()
  .regex(/^\d{1,18}$/, FOREIGN_CURSOR)
  .transform(BigInt);

/**
 * A cursor of a list of keys: the creation time and the id, because key ids do not sort by time.
 */
export const KeyCursor = z
  .string()
  .regex(/^\d{1,15}-key_[0-9A-Za-z]{12}$/, FOREIGN_CURSOR)
  .transform((text) => {
    const [created = '', id = ''] = text.split('-');
    return { created: BigInt(created), id: id as KeyId };
  });

type Sorting = Readonly<{ sort: string; order: 'asc' | 'desc' }>;

/**
 * Returns the schema of a cursor of a list that can be sorted: the sort and order of its page, and
 * the place of the last row, such as `due.asc.1764547200000_12`.
 */
export function sortedCursor<Place extends z.ZodType>(place: Place) {
  return z
    .string()
    .regex(/^[a-z_]{1,20}\.(?:asc|desc)\.[0-9a-z_-]{1,60}$/, FOREIGN_CURSOR)
    .transform((text, context) => {
      const [sort = '', order, rest] = text.split('.');
      const parsed = place.safeParse(rest);
      if (parsed.success) return { sort, order, place: parsed.data };
      context.addIssue({ code: 'custom', message: FOREIGN_CURSOR });
      return z.NEVER;
    });
}

/** The cursor of `sortedCursor`. `place` is as its schema reads it. */
export function cursorOfSort({ sort, order }: Sorting, place: string): string {
  return `${sort}.${order}.${place}`;
}

/** A check of a list's query: its cursor must be from a page with the same sort and order. */
export function refuseOtherSort(
  {
    sort,
    order,
    after,
  }: Sorting & { after?: { sort: string; order?: string | undefined } | undefined },
  context: z.RefinementCtx,
): void {
  if (after === undefined || (after.sort === sort && after.order === order)) return;
  context.addIssue({ code: 'custom', path: ['after'], message: OTHER_SORT });
}

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), has_more: z.boolean(), next: z.string().nullable() });
}

/**
 * Returns the schema of a filter that takes one value, or several by repeating the parameter. A row
 * matches the filter if it has one of the values.
 */
export function oneOrMore<Value extends z.ZodType>(value: Value) {
  return z
    .preprocess(
      (given) => (Array.isArray(given) ? [...new Set(given)] : [given]),
      z.array(value).min(1).max(FILTER_VALUES_MAX, `Enter at most ${FILTER_VALUES_MAX} values.`),
    )
    .optional();
}
