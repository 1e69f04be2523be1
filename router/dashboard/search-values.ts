/** Reads the values of the queries of page addresses. An invalid value is undefined. */
import { FILTER_VALUES_MAX } from '../../shared/bounds/filter-values.ts';

export type Raw = Readonly<Record<string, unknown>>;

export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function oneOf<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value);
}

export function matching(value: unknown, pattern: RegExp): string | undefined {
  const given = text(value);
  return given !== undefined && pattern.test(given) ? given : undefined;
}

/**
 * The values of a filter, which an address has as one text with commas between them. The id of a
 * model may have a comma itself, which stands there as `%2C`.
 */
export function valuesOf(filter: string | undefined): readonly string[] {
  if (filter === undefined) return [];
  return filter.split(',').map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'));
}

/** The text that an address has for values of a filter. Undefined: the filter has none. */
export function filterOf(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.map(filterOfOne).join(',');
}

export function filterOfOne(value: string): string {
  return value.replaceAll('%', '%25').replaceAll(',', '%2C');
}

/** `2026-11-21T08:30Z`, also with seconds. */
export function instant(value: unknown): string | undefined {
  const given = text(value);
  const isInstant =
    given !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{3})?)?Z$/.test(given);
  return isInstant && !Number.isNaN(Date.parse(given)) ? given : undefined;
}

/**
 * Reads a filter that takes several values, which may have to be among `allowed`, or to match this
 * pattern.
 */
export function several(
  value: unknown,
  allowed: readonly string[] | RegExp = /./,
): string | undefined {
  const valid = valuesOf(text(value)).filter((one) =>
    allowed instanceof RegExp ? allowed.test(one) : allowed.includes(one),
  );
  return filterOf([...new Set(valid)].slice(0, FILTER_VALUES_MAX));
}
