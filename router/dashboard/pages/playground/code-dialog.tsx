import { useState } from 'react';
import { CodeTabs } from '../../parts/code/code-block.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { codeOf } from './code.ts';
import type { Body } from './request.ts';

/**
 * The requests to show, each with a name: one for each compared model, or the one that was sent.
 */
export type ShownCode = readonly Readonly<{ name: string; body: Body }>[];

type CodeProps = Readonly<{ baseUrl: string; shown: ShownCode | null; onClose: () => void }>;

/** Keep this component mounted: it remembers which model was chosen when it was last open. */
export function CodeDialog({ baseUrl, shown, onClose }: CodeProps) {
  const [chosen, setChosen] = useState('0');
  if (shown === null) return null;
  const one = shown[Number(chosen)] ?? shown[0];
  const code = one && codeOf(baseUrl, one.body);
  return (
    <Dialog
      onClose={onClose}
      width="wide"
      title="View code"
      description="Run this request from your code. Set PENSTOCK_API_KEY to an API key that you create."
    >
      {shown.length > 1 && (
        <div>
          <Segmented
            label="Model"
            value={chosen}
            onChange={setChosen}
            choices={shown.map(({ name }, index) => ({ value: String(index), name }))}
          />
        </div>
      )}
      {code && <CodeTabs tabs={code.tabs} />}
      {code?.shortened && (
        <p className="text-xs text-muted">
          Images are shortened here. Replace them with the full data URI.
        </p>
      )}
    </Dialog>
  );
}
