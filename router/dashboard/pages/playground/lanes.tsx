import { X } from 'lucide-react';
import type { Model } from '../../../../shared/api/models.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Code } from '../../parts/shown.tsx';
import { capabilitiesOf, contextOf } from './capabilities.ts';
import { ModelPicker } from './model-picker.tsx';
import type { Lane } from './turns.ts';
import type { LanesChosen } from './use-lanes.ts';

type LanesProps = Readonly<{
  models: readonly Model[];
  lanes: LanesChosen;
  /** Ends the comparison and keeps this lane. */
  onKeep: (lane: Lane) => void;
}>;

/** The pickers of the models that answer: one, or two side by side. */
export function Lanes({ models, lanes, onKeep }: LanesProps) {
  const { a, b } = lanes.models;
  return (
    <div className="grid gap-2">
      <div className={cx('grid gap-x-6 gap-y-3', b && 'md:grid-cols-2')}>
        <LanePicker
          label={b ? 'First model' : 'Model'}
          models={models}
          chosen={a}
          onChoose={(model) => lanes.choose('a', model)}
          onRemove={b ? () => onKeep('b') : null}
        />
        {b && (
          <LanePicker
            label="Second model"
            models={models}
            chosen={b}
            onChoose={(model) => lanes.choose('b', model)}
            onRemove={() => onKeep('a')}
          />
        )}
      </div>
      {lanes.unknown !== null && (
        <p className="text-sm text-warn">
          The model <Code>{lanes.unknown}</Code> is not in the catalog.
        </p>
      )}
    </div>
  );
}

type LaneProps = Readonly<{
  label: string;
  models: readonly Model[];
  chosen: Model;
  onChoose: (model: Model) => void;
  onRemove: (() => void) | null;
}>;

function LanePicker({ label, models, chosen, onChoose, onRemove }: LaneProps) {
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex gap-1.5">
        <ModelPicker label={label} models={models} chosen={chosen} onChoose={onChoose} />
        {onRemove && (
          <Button look="ghost" square aria-label={`Remove ${chosen.name}`} onClick={onRemove}>
            <X />
          </Button>
        )}
      </div>
      <p className="truncate text-xs text-muted">
        {[contextOf(chosen), ...capabilitiesOf(chosen)].join(' · ')}
      </p>
    </div>
  );
}
