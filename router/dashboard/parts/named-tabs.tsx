import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';

type NamedTabsProps = Readonly<{
  label: string;
  tabs: Readonly<Record<string, ReactNode>>;
  /** The tab that is chosen elsewhere, too, if it is among these. */
  chosen?: string | null;
  onChoose?: (name: string) => void;
}>;

/** Tabs under a label: `tabs` has what each shows, by its name. */
export function NamedTabs({ label, tabs, chosen, onChoose }: NamedTabsProps) {
  const names = Object.keys(tabs);
  // Ids are made of the values, and an id has no spaces.
  const values = new Map(names.map((name) => [name, name.replaceAll(/\W+/g, '-')]));
  const first = values.get(names[0] ?? '') ?? '';
  const state = onChoose
    ? {
        value: values.get(chosen ?? '') ?? first,
        onValueChange: (value: string) =>
          onChoose(names.find((name) => values.get(name) === value) ?? value),
      }
    : { defaultValue: first };
  return (
    <Tabs.Root {...state} className="grid min-w-0 gap-2">
      {/* On a phone they are one row, which scrolls. */}
      <Tabs.List
        aria-label={label}
        className="flex flex-wrap gap-1 max-sm:-m-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:p-1 max-sm:[scrollbar-width:none]"
      >
        {[...values].map(([name, value]) => (
          <Tabs.Trigger
            key={name}
            value={value}
            className="shrink-0 rounded-md px-2.5 py-1 text-xs font-medium text-muted max-sm:min-h-11 hover:text-ink data-[state=active]:bg-sunken data-[state=active]:text-ink"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {[...values].map(([name, value]) => (
        <Tabs.Content key={name} value={value} className="min-w-0">
          {tabs[name]}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
