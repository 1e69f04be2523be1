/** The settings of the compared models, one model at a time. */
import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { SelectField } from '../../parts/form/field.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import type { LanesChosen } from './use-lanes.ts';

export function LaneSettings({ lanes }: { lanes: LanesChosen }) {
  const { setup, configure, configureAll } = lanes;
  const [chosen, setChosen] = useState<string>('');
  const shown = setup.find(({ lane }) => lane === chosen) ?? setup[0];
  if (!shown) return null;
  return (
    <div className="grid gap-4">
      {setup.length > 1 && (
        <div className="grid gap-2">
          <SelectField label="Settings of" value={shown.lane} onChange={setChosen}>
            {setup.map(({ lane, model }, index) => (
              <option key={lane} value={lane}>
                {index + 1}. {model.name}
              </option>
            ))}
          </SelectField>
          <Button
            size="small"
            className="justify-self-start"
            onClick={() => configureAll(shown.settings)}
          >
            Apply to all models
          </Button>
        </div>
      )}
      <SettingsPanel
        settings={shown.settings}
        model={shown.model}
        onChange={(settings) => configure(shown.lane, settings)}
      />
    </div>
  );
}
