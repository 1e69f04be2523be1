/** The models that a key may call, in the forms of keys. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';
import { modelsQuery } from '../../api/organization.ts';
import { shownCount } from '../../format/count.ts';
import { Segmented } from '../../parts/form/segmented.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { ModelId } from '../../parts/model-id.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { type ChoiceOfModel, choicesOf, foundChoices } from './model-choices.ts';

type Chosen = readonly string[];

type ModelsFieldProps = Readonly<{
  /** The ids of the models. Null: all models. */
  chosen: Chosen | null;
  onChange: (chosen: Chosen | null) => void;
}>;

export function ModelsField({ chosen, onChange }: ModelsFieldProps) {
  /** Those of the key when the form opened come first. */
  const [first] = useState<Chosen>(chosen ?? []);
  /** What is chosen again when somebody goes to all models and back. */
  const [last, setLast] = useState<Chosen>(chosen ?? []);
  const models = useQuery(modelsQuery(useOrganization()));
  return (
    <fieldset className="grid min-w-0 justify-items-start gap-2">
      <legend className="mb-1.5 text-sm font-medium">Models</legend>
      <Segmented
        label="Models"
        value={chosen === null ? 'all' : 'some'}
        choices={[
          { value: 'all', name: 'All models' },
          { value: 'some', name: 'Only some' },
        ]}
        onChange={(value) => {
          setLast(chosen ?? last);
          onChange(value === 'all' ? null : last);
        }}
      />
      {chosen !== null && (
        <Loaded query={models}>
          {({ data }) => <Choice choices={choicesOf(data, first)} {...{ chosen, onChange }} />}
        </Loaded>
      )}
    </fieldset>
  );
}

/** As many as are seen at once, about. A longer list can be searched. */
const UNSEARCHED_MAX = 5;

type ChoiceProps = Readonly<{
  choices: readonly ChoiceOfModel[];
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}>;

function Choice({ choices, chosen, onChange }: ChoiceProps) {
  const [search, setSearch] = useState('');
  const found = foundChoices(choices, search);
  const toggle = (model: string) =>
    onChange(chosen.includes(model) ? chosen.filter((one) => one !== model) : [...chosen, model]);
  return (
    <div className="grid w-full min-w-0 gap-2">
      {choices.length > UNSEARCHED_MAX && (
        <SearchInput
          label="Search models"
          placeholder="Name or ID of the model"
          charsMax={SEARCH_CHARS_MAX}
          value={search}
          onChange={setSearch}
        />
      )}
      <div className="max-h-64 divide-y divide-line overflow-y-auto rounded-lg border">
        {found.length === 0 && <p className="px-3 py-2.5 text-sm text-muted">No model matches.</p>}
        {found.map(({ id: model, name }) => (
          <label
            key={model}
            className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 px-3 py-2.5 hover:bg-hover has-checked:bg-sunken"
          >
            <input
              type="checkbox"
              checked={chosen.includes(model)}
              onChange={() => toggle(model)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="text-sm font-medium break-words">{name ?? model}</span>
            <span className="col-start-2 font-mono text-xs break-words text-muted">
              {name === null ? 'Not in the catalog' : <ModelId id={model} />}
            </span>
          </label>
        ))}
      </div>
      <p className="text-xs text-muted" role="status">
        {chosen.length === 0 ? 'Choose at least one model.' : `${shownCount(chosen.length)} chosen`}
      </p>
    </div>
  );
}
