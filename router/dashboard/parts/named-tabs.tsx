import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';

/** Tabs under a label: `tabs` has what each shows, by its name. */
export function NamedTabs({
  label,
  tabs,
}: {
  label: string;
  tabs: Readonly<Record<string, ReactNode>>;
}) {
  const names = Object.keys(tabs);
  return (
    <Tabs.Root defaultValue={names[0] ?? ''} className="grid min-w-0 gap-2">
      <Tabs.List aria-label={label} className="flex flex-wrap gap-1">
        {names.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="rounded-md px-2.5 py-1 text-xs font-medium text-muted hover:text-ink data-[state=active]:bg-sunken data-[state=active]:text-ink"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Content key={name} value={name} className="min-w-0">
          {tabs[name]}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
