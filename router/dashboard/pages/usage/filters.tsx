/** The filters of usage: one button for each, which shows the chosen value and can remove it. */
import { useQuery } from '@tanstack/react-query';
import { Check, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { keysQuery } from '../../api/keys.ts';
import { membersQuery } from '../../api/members.ts';
import { modelsQuery } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Menu, MenuItem, MenuLabel } from '../../parts/menu.tsx';
import { useOrganization } from '../../session.tsx';
import { type Filter, FILTERS, NO_FILTERS } from './address.ts';
import type { Address } from './use-address.ts';

export type FilterOptions = Readonly<{
  choices: readonly Readonly<{ value: string; name: string }>[] | undefined;
  error?: Error | null;
}>;

const SOURCES = [
  { value: 'api', name: 'API' },
  { value: 'playground', name: 'Playground' },
];
export const STATUSES = [
  { value: '2xx', name: '2xx, succeeded' },
  { value: '4xx', name: '4xx, rejected or canceled' },
  { value: '5xx', name: '5xx, failed' },
];
const NAMES: Readonly<Record<Filter, string>> = {
  model: 'Model',
  key: 'Key',
  member: 'Member',
  source: 'Source',
  status: 'Status',
};

function useOptions(): Readonly<Record<Filter, FilterOptions>> {
  const organization = useOrganization();
  const models = useQuery(modelsQuery(organization));
  const keys = useQuery(keysQuery(organization));
  const members = useQuery(membersQuery(organization));
  return {
    model: {
      choices: models.data?.data.map(({ id }) => ({ value: id, name: id })),
      error: models.error,
    },
    key: {
      choices: keys.data?.map(({ id, name }) => ({ value: id, name })),
      error: keys.error,
    },
    member: {
      choices: members.data?.data.map(({ id, name }) => ({ value: id, name })),
      error: members.error,
    },
    source: { choices: SOURCES },
    status: { choices: STATUSES },
  };
}

export function Filters({ search, change }: Address) {
  const options = useOptions();
  const chosen = FILTERS.filter((filter) => search[filter] !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="Filters">
      {FILTERS.map((filter) => (
        <FilterButton
          key={filter}
          name={NAMES[filter]}
          options={options[filter]}
          value={search[filter]}
          // Each value comes from its list, or from the address bar as `usageSearch` read it.
          onChange={(value) => change({ [filter]: value })}
        />
      ))}
      {chosen.length > 1 && (
        <Button look="ghost" size="small" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

type FilterButtonProps = Readonly<{
  name: string;
  options: FilterOptions;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}>;

export function FilterButton({
  name,
  options: { choices, error },
  value,
  onChange,
}: FilterButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isChosen = value !== undefined;
  /** A key that no longer exists is shown by its id. */
  const shown = choices?.find((choice) => choice.value === value)?.name ?? value;
  return (
    <div
      className={cx(
        'inline-flex h-7 max-w-full items-center rounded-full border border-line-strong text-xs',
        isChosen ? 'bg-panel' : 'border-dashed',
      )}
    >
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            ref={button}
            aria-label={isChosen ? undefined : `Filter by ${name.toLowerCase()}`}
            className={cx(
              'inline-flex h-full min-w-0 items-center gap-1 rounded-full pl-2.5 text-muted hover:text-ink',
              isChosen ? 'pr-1' : 'pr-2.5',
            )}
          >
            {!isChosen && <Plus className="size-3.5 shrink-0" />}
            <span className="shrink-0">{isChosen ? `${name}: ` : name}</span>
            {isChosen && <span className="truncate font-medium text-ink">{shown}</span>}
          </button>
        }
      >
        {choices?.map((choice) => (
          <MenuItem key={choice.value} onSelect={() => onChange(choice.value)}>
            <span className="max-w-80 truncate">{choice.name}</span>
            {choice.value === value && <Check className="ml-auto" aria-label="chosen" />}
          </MenuItem>
        ))}
        {choices?.length === 0 && <MenuLabel>No values</MenuLabel>}
        {choices === undefined && <MenuLabel>{error ? error.message : 'Loading…'}</MenuLabel>}
      </Menu>
      {isChosen && (
        <button
          type="button"
          aria-label={`Remove filter: ${name}`}
          className="mr-1 grid size-5 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
          onClick={() => {
            onChange(undefined);
            // This button disappears, so the focus moves to the button of the filter.
            button.current?.focus();
          }}
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
