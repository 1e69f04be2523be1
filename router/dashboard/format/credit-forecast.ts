/** For how long the credit lasts, in words. */
import type { CreditForecast } from '../../../shared/api/credit.ts';

/** A forecast of more days is shown as more than a year, because it is too uncertain for a number. */
const FORECAST_DAYS_MAX = 365;

/** Credit that lasts for no more days than this is nearly out. */
const SHORT_DAYS_MAX = 3;

export function isShort({ days }: CreditForecast): boolean {
  return days !== null && days <= SHORT_DAYS_MAX;
}

/**
 * "About 12 days left at the rate of the last 7 days". Null when there is no forecast. What was used in
 * a part of the first day says little, so that it only warns.
 */
export function forecastWords(forecast: CreditForecast): string | null {
  const { days, rate_days: rate } = forecast;
  if (days === null) return null;
  if (rate === null && !isShort(forecast)) return 'Forecast available after one full day of use';
  const at =
    rate === null
      ? "today's rate"
      : rate === 1
        ? "yesterday's rate"
        : `the rate of the last ${rate} days`;
  if (days > FORECAST_DAYS_MAX) return `More than a year left at ${at}`;
  if (days < 1) return `Less than a day left at ${at}`;
  return `About ${days} ${days === 1 ? 'day' : 'days'} left at ${at}`;
}
