import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { shownSpeed } from '../../format/count.ts';
import { Td } from '../../parts/list/table.tsx';
import { tokensPerSecond } from './outcome.ts';

/** The completion tokens per second of a request. */
export function SpeedCell({ of }: { of: UsageEntry }) {
  return (
    <Td right inLines="none">
      <span title="Completion tokens per second after the first token">
        {shownSpeed(tokensPerSecond(of))}
      </span>
    </Td>
  );
}
