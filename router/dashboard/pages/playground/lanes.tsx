import { X } from 'lucide-react';
import type { RefObject } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Code } from '../../parts/shown.tsx';
import { capabilitiesOf, contextOf, pricesOf } from './capabilities.ts';
import { columnsFor } from './columns.ts';
import { ModelPicker } from './model-picker.tsx';
import type { Lane } from './turns.ts';
import type { LanesChosen } from './use-lanes.ts';

type LanesProps = Readonly<{
  models: readonly Model[];
  lanes: LanesChosen;
  /** They stay in view while the reader scrolls, so many px below the top of the window. */
  stickyTop: number | undefined;
  ref: RefObject<HTMLDivElement | null>;
  onRemove: (lane: Lane) => void;
}>;

const ORDINALS = ['First', 'Second', 'Third', 'Fourth'] as const;

/** The pickers of the models that answer: one, or up to four side by side. */
export function Lanes({ models, lanes, stickyTop, ref, onRemove }: LanesProps) {
  const { setup, unknown } = lanes;
  const several = setup.length > 1;
  return (
    <div
      ref={ref}
      style={{ top: stickyTop }}
      className={cx(
        'grid gap-2',
        stickyTop !== undefined && '-my-2 bg-ground py-2 md:sticky md:z-10',
        // A phone has no room for several below each other.
        stickyTop !== undefined && !several && 'max-md:sticky max-md:z-10',
      )}
    >
      <div className={cx('grid gap-x-6 gap-y-3', columnsFor(setup.length))}>
        {setup.map(({ lane, model }, index) => (
          <LanePicker
            key={lane}
            label={several ? `${ORDINALS[index]} model` : 'Model'}
            models={models}
            chosen={model}
            isAlone={!several}
            onChoose={(chosen) => lanes.choose(lane, chosen)}
            onRemove={several ? () => onRemove(lane) : null}
          />
        ))}
      </div>
      {unknown.map((id) => (
        <p key={id} className="text-sm text-warn">
          The model <Code>{id}</Code> is not in the catalog.
        </p>
      ))}
    </div>
  );
}

type LaneProps = Readonly<{
  label: string;
  models: readonly Model[];
  chosen: Model;
  /** Whether there is room for its capabilities, which the list of models has, too. */
  isAlone: boolean;
  onChoose: (model: Model) => void;
  onRemove: (() => void) | null;
}>;

function LanePicker({ label, models, chosen, isAlone, onChoose, onRemove }: LaneProps) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      <div className="flex gap-1.5">
        <ModelPicker label={label} models={models} chosen={chosen} onChoose={onChoose} />
        {onRemove && (
          <Button look="ghost" square aria-label={`Remove ${chosen.name}`} onClick={onRemove}>
            <X />
          </Button>
        )}
      </div>
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">
        <span>{pricesOf(chosen)} per million tokens</span>
        <span>{contextOf(chosen)}</span>
        {isAlone &&
          capabilitiesOf(chosen).map((name) => (
            <span key={name} className="max-sm:hidden">
              {name}
            </span>
          ))}
      </p>
    </div>
  );
}
