import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '../class-names.ts';

const LOOKS = {
  primary: 'bg-accent text-accent-ink border-transparent hover:bg-accent/90',
  secondary: 'bg-panel text-ink border-line-strong hover:bg-hover',
  ghost: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink',
  /** Of a filter that is set to something else than its default. */
  lit: 'bg-accent-soft text-ink border-accent hover:bg-accent-soft',
  danger: 'bg-panel text-bad border-line-strong hover:bg-bad-soft',
} as const;

/** On a phone, a button has to be as large as a finger, an icon in particular. */
const HEIGHTS = {
  small: 'h-7 text-xs max-sm:h-11',
  medium: 'h-8.5 text-sm max-sm:h-11',
  // Within a sentence, whose lines stay as high as they are, on a phone too.
  line: 'h-5 text-xs',
} as const;
const SQUARES = { small: 'w-7 max-sm:size-11', medium: 'w-8.5 max-sm:w-11', line: 'w-5' } as const;
const PADDINGS = { small: 'px-2.5', medium: 'px-3.5', line: 'px-1' } as const;

type ButtonProps = ComponentProps<'button'> &
  Readonly<{
    look?: keyof typeof LOOKS;
    size?: keyof typeof HEIGHTS;
    /** An icon and no text: give it an `aria-label`. */
    square?: boolean;
    /** An action is in progress, so the button cannot be pressed again. */
    busy?: boolean;
    /** Renders its only child, such as a link, in place of a button. */
    asChild?: boolean;
  }>;

export function Button({
  look = 'secondary',
  size = 'medium',
  square = false,
  busy = false,
  asChild = false,
  disabled,
  className,
  ...rest
}: ButtonProps) {
  const Element = asChild ? Slot.Root : 'button';
  return (
    <Element
      {...(asChild ? {} : { type: 'button', disabled: disabled === true || busy })}
      aria-busy={busy || undefined}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-50 [&_svg]:size-4',
        HEIGHTS[size],
        square ? SQUARES[size] : PADDINGS[size],
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}
