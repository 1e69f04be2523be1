/** What `penstock doctor` says of one thing that it has examined. */

/** `check`: the thing. `found`: what is so. `advice`: what to do about it; null if it is in order. */
export type Finding = Readonly<{
  check: string;
  level: 'ok' | 'warning' | 'fault';
  found: string;
  advice: string | null;
}>;

export function ok(check: string, found: string): Finding {
  return { check, level: 'ok', found, advice: null };
}

/** It works, or may work, but less well than it should. */
export function warning(check: string, found: string, advice: string): Finding {
  return { check, level: 'warning', found, advice };
}

/** A start would fail, or nothing would be served. */
export function fault(check: string, found: string, advice: string): Finding {
  return { check, level: 'fault', found, advice };
}
