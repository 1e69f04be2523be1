/** Amounts, instants and states, each shown in one way throughout the dashboard. */
import { type ReactNode, useEffect, useState } from 'react';
import { every, now } from '../clock.ts';
import { ago, fullTime, shortTime } from '../format/time.ts';
import { balanceUsd, exactUsd, isBalanceRounded, shownUsd } from '../format/usd.ts';
import { utcMinute } from '../format/utc.ts';
import { useZone } from '../zone.ts';
import { cx } from './class-names.ts';
import type { Tone } from './tone.ts';

type MoneyProps = Readonly<{
  amount: string;
  /** Shows it as a balance, which keeps its digits while it changes. */
  balance?: boolean;
  /** Shows every digit instead of a rounded amount. */
  exact?: boolean;
  /** Shows so many decimals, or at least so many with `exact` (format/usd-column.ts). */
  decimals?: number;
}>;

/** An amount in USD. The tooltip shows every digit. */
export function Money({ amount, balance = false, exact = false, decimals }: MoneyProps) {
  const digits = exactUsd(amount);
  const shown = exact ? exactUsd : balance ? balanceUsd : shownUsd;
  const text = shown(amount, decimals);
  const own = exact ? digits.length : text.length;
  return (
    <span title={digits} className="tabular-nums">
      {text.slice(0, own)}
      {/* Zeros that only fill a column up take their room there, so that the points are below each
          other. A card leaves them out. */}
      {text.length > own && <span className="fill invisible">{text.slice(own)}</span>}
    </span>
  );
}

type ExactBalanceProps = Pick<MoneyProps, 'amount' | 'decimals'>;

/**
 * Every digit of a balance that is shown rounded down. It stands below the balance where charges are
 * shown, too: after a charge of less than a cent, a cent would seem to be lost. Nothing for a balance
 * that has no more digits.
 */
export function ExactBalance({ amount, decimals }: ExactBalanceProps) {
  if (!isBalanceRounded(amount, decimals)) return null;
  return <span className="text-muted tabular-nums">Exactly {exactUsd(amount)}</span>;
}

/** Stands where a row has no value. A card on a phone leaves it out, with the name of its column. */
export function Dash() {
  return <span className="dash text-muted">–</span>;
}

const AGAIN_MS = 10_000;

type WhenProps = Readonly<{
  at: string | null;
  /** Shows "5 min. ago" instead of a date and time. */
  relative?: boolean;
  precision?: 'minutes' | 'seconds';
  never?: string;
}>;

export function When({ at, relative = false, precision, never = 'Never' }: WhenProps) {
  const zone = useZone();
  const [time, setTime] = useState(now);
  useEffect(() => (relative ? every(AGAIN_MS, () => setTime(now())) : undefined), [relative]);
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <time dateTime={at} title={fullTime(at, zone)} className="whitespace-nowrap">
      {relative ? ago(at, time, zone) : shortTime(at, time, zone, precision)}
    </time>
  );
}

/** An instant in UTC, on pages whose days are in UTC. The tooltip shows the reader's own time. */
export function UtcTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at, 'local')} className="whitespace-nowrap">
      {utcMinute(at)}
    </time>
  );
}

/** An instant with seconds and the name of its time zone. */
export function FullTime({ at }: { at: string }) {
  return <time dateTime={at}>{fullTime(at, useZone())}</time>;
}

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** The badge of a state, such as that of a payment. */
export function StateBadge({ of: { tone, name } }: { of: Readonly<{ tone: Tone; name: string }> }) {
  return <Badge tone={tone}>{name}</Badge>;
}

/** An id of up to this many characters has room on a phone, and stays on one line in a card. */
const WHOLE_CHARS_MAX = 34;

/** An id, or anything else that a machine reads. */
export function Code({ children }: { children: ReactNode }) {
  const isWhole = typeof children === 'string' && children.length <= WHOLE_CHARS_MAX;
  return (
    <code
      className={cx(
        'rounded bg-sunken px-1 py-0.5 font-mono text-xs wrap-anywhere',
        isWhole && 'whole',
      )}
    >
      {children}
    </code>
  );
}
