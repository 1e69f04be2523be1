import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Boxes, SearchX } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { modelsQuery } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Toggles } from '../../parts/toggles.tsx';
import { RoleNote, useOrganization } from '../../session.tsx';
import { CAPABILITIES, CAPABILITY_NAMES, type Capability, isMatch } from './match.ts';
import { ModelRow } from './model-row.tsx';
import { useMeasured } from './use-measured.ts';

const CHOICES = CAPABILITY_NAMES.map((value) => ({ value, name: CAPABILITIES[value] }));

export default function ModelsPage() {
  const models = useQuery(modelsQuery(useOrganization()));
  // Asked for together with the models.
  const measuredOf = useMeasured();
  const [search, setSearch] = useState('');
  const [wanted, setWanted] = useState<readonly Capability[]>([]);
  const looked = useDeferredValue(search);
  const clear = () => {
    setSearch('');
    setWanted([]);
  };
  return (
    <Page
      title="Models"
      description="Available models and your prices per million tokens."
      actions={
        <Button asChild>
          <Link to="/catalog">Compare speed and uptime</Link>
        </Button>
      }
    >
      <RoleNote permission="playground">You cannot try models in the playground.</RoleNote>
      <div className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          aria-label="Search models"
          placeholder="Search models"
          autoComplete="off"
          className="sm:max-w-64"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <Toggles label="Capabilities" chosen={wanted} choices={CHOICES} onChange={setWanted} />
      </div>
      <Panel flush>
        <Loaded query={models}>
          {({ data }) => (
            <Found
              all={data}
              found={data.filter((model) => isMatch(model, looked, wanted))}
              measuredOf={measuredOf}
              onClear={clear}
            />
          )}
        </Loaded>
      </Panel>
      <p className="text-xs text-muted">
        Time to first token and speed are medians of all requests of the last 24 hours. A dash
        stands where there were fewer than 20 of them. Uptime is measured over at most 30 days.
      </p>
    </Page>
  );
}

type FoundProps = Readonly<{
  all: readonly Model[];
  found: readonly Model[];
  measuredOf: ReturnType<typeof useMeasured>;
  onClear: () => void;
}>;

function Found({ all, found, measuredOf, onClear }: FoundProps) {
  if (all.length === 0) {
    return (
      <Empty icon={<Boxes />} title="No models yet">
        The platform operator has not added models to the catalog yet.
      </Empty>
    );
  }
  return (
    <>
      <p role="status" className="sr-only">
        {found.length} of {all.length} models
      </p>
      {found.length === 0 ? (
        <Empty
          icon={<SearchX />}
          title="No matches"
          action={<Button onClick={onClear}>Clear filters</Button>}
        >
          Change the search or clear the filters.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {found.map((model) => (
            <ModelRow key={model.id} model={model} measured={measuredOf(model.id)} />
          ))}
        </ul>
      )}
    </>
  );
}
