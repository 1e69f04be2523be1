/** Definitions of the tools that the model may call, as JSON. */
import { Button } from '../../parts/form/button.tsx';
import { SelectField, TextAreaField } from '../../parts/form/field.tsx';
import type { Settings, ToolChoice } from './settings.ts';
import { EXAMPLE_TOOLS } from './tools.ts';

type ToolsProps = Readonly<{
  settings: Settings;
  error: Error | null;
  onChange: (part: Partial<Settings>) => void;
}>;

export function ToolsField({ settings, error, onChange }: ToolsProps) {
  const { tools, toolChoice } = settings;
  return (
    <div className="grid gap-2">
      <TextAreaField
        label="Tools"
        hint='A JSON array, as in "tools" of the API. You provide the tool results.'
        error={error}
        param="tools"
        rows={tools === '' ? 2 : 8}
        spellCheck={false}
        placeholder="[]"
        className="min-h-14! font-mono text-xs"
        value={tools}
        onChange={(text) => onChange({ tools: text })}
      />
      {tools.trim() === '' ? (
        <Button
          size="small"
          className="justify-self-start"
          onClick={() => onChange({ tools: EXAMPLE_TOOLS })}
        >
          Insert an example
        </Button>
      ) : (
        <SelectField
          label="Tool choice"
          value={toolChoice}
          onChange={(text) => onChange({ toolChoice: text as ToolChoice })}
        >
          <option value="auto">auto: the model decides</option>
          <option value="required">required: the model calls a tool</option>
          <option value="none">none: the model calls no tool</option>
        </SelectField>
      )}
    </div>
  );
}
