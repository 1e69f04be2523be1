/** A picker of the model that answers: a button that opens a list with a search. */
import { ChevronsUpDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { SearchedList } from '../../parts/list/searched-list.tsx';
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
        className="flex h-8.5 max-sm:h-11 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-panel px-2.5 text-left text-sm hover:bg-hover"
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
          <SearchedList
            label="Models"
            searchLabel="Search models"
            placeholder="Search models"
            find={(search) => found(models, search)}
            none="No matches"
            keyOf={({ id }) => id}
            isChosen={(model) => model === chosen}
            first={Math.max(0, models.indexOf(chosen))}
            onChoose={(model) => {
              setOpen(false);
              onChoose(model);
            }}
          >
            {(model) => <Choice model={model} />}
          </SearchedList>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
