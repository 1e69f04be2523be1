import { ToggleGroup } from 'radix-ui';

type TogglesProps<Choice extends string> = Readonly<{
  /** The name of the choice for screen readers. */
  label: string;
  chosen: readonly Choice[];
  choices: readonly Readonly<{ value: Choice; name: string }>[];
  onChange: (chosen: readonly Choice[]) => void;
  id?: string;
  /** The ids of its notes. */
  describedBy?: string | undefined;
  /** It was refused. The group passes a focus on to its first button. */
  invalid?: boolean | undefined;
}>;

/** A choice of any number of a few options, all of them visible: for filters. */
export function Toggles<Choice extends string>({
  label,
  chosen,
  choices,
  onChange,
  id,
  describedBy,
  invalid,
}: TogglesProps<Choice>) {
  return (
    <ToggleGroup.Root
      type="multiple"
      id={id}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      aria-label={label}
      value={[...chosen]}
      onValueChange={(values) => onChange(values as Choice[])}
      className="flex flex-wrap gap-1.5"
    >
      {choices.map(({ value, name }) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          className="h-7 max-sm:h-11 rounded-full border border-line-strong bg-panel px-3 text-xs font-medium whitespace-nowrap text-muted hover:bg-hover hover:text-ink data-[state=on]:border-accent data-[state=on]:bg-accent-soft data-[state=on]:text-ink"
        >
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
