import { ToggleGroup } from 'radix-ui';
import { cx } from '../class-names.ts';

type SegmentedProps<Choice extends string> = Readonly<{
  /** The name of the choice for screen readers. */
  label: string;
  value: Choice;
  choices: readonly Readonly<{ value: Choice; name: string }>[];
  onChange: (value: Choice) => void;
}>;

/** More choices have less room each on a phone. */
const WIDE_MAX = 5;

/** A choice of one of a few options, all of them visible. */
export function Segmented<Choice extends string>({
  label,
  value,
  choices,
  onChange,
}: SegmentedProps<Choice>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Pressing the chosen option again would leave no choice.
      onValueChange={(chosen) => chosen !== '' && onChange(chosen as Choice)}
      className="inline-flex max-w-full flex-wrap rounded-md border border-line-strong bg-panel p-0.5"
    >
      {choices.map((choice) => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          className={cx(
            'h-7 rounded px-2.5 text-xs font-medium whitespace-nowrap text-muted max-sm:h-11 hover:text-ink data-[state=on]:bg-hover data-[state=on]:text-ink',
            choices.length > WIDE_MAX && 'max-sm:px-1.5',
          )}
        >
          {choice.name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
