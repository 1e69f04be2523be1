/** A picker of the model that answers: a button that opens a list with a search. */
import { ChevronsUpDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { cx } from '../../parts/class-names.ts';
import { Input } from '../../parts/field.tsx';
import { Badge } from '../../parts/shown.tsx';
import { capabilitiesOf, contextOf, found, pricesOf } from './capabilities.ts';

type PickerProps = Readonly<{
  label: string;
  models: readonly Model[];
  chosen: Model;
  onChoose: (model: Model) => void;
}>;

export function ModelPicker({ label, models, chosen, onChoose }: PickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={`${label}: ${chosen.name}`}
        className="flex h-8.5 max-sm:h-10 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-panel px-2.5 text-left text-sm hover:bg-hover"
      >
        <span className="min-w-0 flex-1 truncate font-medium">{chosen.name}</span>
        {!chosen.available && <Badge tone="warn">Unavailable</Badge>}
        <ChevronsUpDown className="size-4 shrink-0 text-muted" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 grid w-[min(26rem,calc(100vw-1rem))] gap-2 rounded-lg border bg-panel p-2 shadow-float"
        >
          <Choices
            models={models}
            chosen={chosen}
            onChoose={(model) => {
              setOpen(false);
              onChoose(model);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choices({ models, chosen, onChoose }: Omit<PickerProps, 'label'>) {
  const id = useId();
  const [search, setSearch] = useState('');
  const shown = found(models, search);
  const [at, setAt] = useState(Math.max(0, models.indexOf(chosen)));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      setAt(Math.min(shown.length - 1, Math.max(0, at + step)));
    }
    const model = shown[at];
    if (event.key === 'Enter' && model) onChoose(model);
  };
  return (
    <>
      <Input
        role="combobox"
        aria-label="Search models"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
        placeholder="Search models"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {shown.length === 0 && <p className="px-2 py-3 text-sm text-muted">No matches</p>}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Models"
        className="grid max-h-80 gap-0.5 overflow-y-auto"
      >
        {shown.map((model, index) => (
          // The search box has the keyboard focus; `aria-activedescendant` names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={model.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={model === chosen}
            className={cx('cursor-pointer rounded-md px-2 py-1.5', index === at && 'bg-hover')}
            onPointerMove={() => setAt(index)}
            onClick={() => onChoose(model)}
          >
            <Choice model={model} />
          </div>
        ))}
      </div>
    </>
  );
}

function Choice({ model }: { model: Model }) {
  const { name, available } = model;
  return (
    <div className="grid gap-0.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="truncate text-sm font-medium">{name}</span>
        {available ? (
          <span className="shrink-0 text-xs text-muted tabular-nums">{pricesOf(model)}</span>
        ) : (
          <Badge tone="warn">Unavailable</Badge>
        )}
      </div>
      <p className="truncate text-xs text-muted">
        {[contextOf(model), ...capabilitiesOf(model)].join(' · ')}
      </p>
    </div>
  );
}
