import { TextField } from './field.tsx';

/** The fields of a monthly and a daily cap, which start with these amounts; empty: no cap. */
export function CapFields({ month, day }: Readonly<{ month: string; day: string }>) {
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
      />
      <TextField
        label="Daily cap in USD"
        hint="Optional. Per day (UTC)."
        param="daily_cap"
        inputMode="decimal"
        autoComplete="off"
        placeholder="5"
        defaultValue={day}
      />
    </>
  );
}
