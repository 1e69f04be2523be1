import { useEffect } from 'react';
import { useActiveTooltipLabel, useIsTooltipActive } from 'recharts';
import { useReportActive } from './bucket-keys.ts';

/** Tells the area around a chart at which bucket the pointer or the keyboard is. */
export function ActiveBucket({ starts }: { starts: readonly string[] }) {
  const report = useReportActive();
  const label = useActiveTooltipLabel();
  const at = useIsTooltipActive() ? starts.indexOf(String(label)) : -1;
  useEffect(() => report(at < 0 ? null : at), [report, at]);
  return null;
}
