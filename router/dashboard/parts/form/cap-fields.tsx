import { useState } from 'react';
import { parseUsd } from '../../../../shared/money.ts';
import { enteredUsd } from '../../format/entered-usd.ts';
import { TextField } from './field.tsx';

/** The fields of a monthly and a daily cap, which start with these amounts; empty: no cap. */
export function CapFields({ month, day }: Readonly<{ month: string; day: string }>) {
  const [monthly, setMonthly] = useState(month);
  const [daily, setDaily] = useState(day);
  return (
    <>
      <TextField
        label="Monthly cap in USD"
        hint="Optional. Per calendar month (UTC)."
        param="monthly_cap"
        inputMode="decimal"
        autoComplete="off"
        placeholder="25"
        defaultValue={month}
        onChange={setMonthly}
      />
      <TextField
        label="Daily cap in USD"
        hint={
          exceeds(daily, monthly) ? (
            <span className="text-warn" role="status">
              More than the monthly cap, which is reached first.
            </span>
          ) : (
            'Optional. Per day (UTC).'
          )
        }
        param="daily_cap"
        inputMode="decimal"
        autoComplete="off"
        placeholder="5"
        defaultValue={day}
        onChange={setDaily}
      />
    </>
  );
}

/** False unless both are amounts. */
function exceeds(daily: string, monthly: string): boolean {
  const [day, month] = [parseUsd(enteredUsd(daily)), parseUsd(enteredUsd(monthly))];
  return day !== null && month !== null && day > month;
}
