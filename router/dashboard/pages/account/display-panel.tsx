import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { setTheme, type ThemeChoice, useThemeChoice } from '../../shell/theme.ts';
import { Section } from '../../parts/section.tsx';
import { Setting } from './setting.tsx';

const THEMES = [
  { value: 'system', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
] as const satisfies readonly Readonly<{ value: ThemeChoice; name: string }>[];

/** How this browser shows the dashboard. */
export function DisplayPanel() {
  return (
    <Section title="Display" description="Applies to this browser.">
      <Panel flush>
        <div className="divide-y divide-line">
          <Setting name="Time zone" action={<ZoneChoice />}>
            Local is {new Intl.DateTimeFormat().resolvedOptions().timeZone}. Days and months of
            usage and billing are always in UTC.
          </Setting>
          <Setting
            name="Theme"
            action={
              <Segmented
                label="Theme"
                value={useThemeChoice()}
                choices={THEMES}
                onChange={setTheme}
              />
            }
          >
            Light or dark colors, or those of your system.
          </Setting>
        </div>
      </Panel>
    </Section>
  );
}
