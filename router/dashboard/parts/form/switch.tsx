import { Switch as Radix } from 'radix-ui';

type SwitchProps = Readonly<{
  id?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  'aria-label'?: string;
}>;

export function Switch({ checked, onChange, ...rest }: SwitchProps) {
  return (
    <Radix.Root
      checked={checked}
      onCheckedChange={onChange}
      className="relative h-5 w-9 shrink-0 rounded-full bg-line-strong transition-colors max-sm:before:absolute max-sm:before:-inset-x-1 max-sm:before:-inset-y-3 disabled:opacity-50 data-[state=checked]:bg-accent"
      {...rest}
    >
      <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-white shadow transition-transform data-[state=checked]:translate-x-4.5" />
    </Radix.Root>
  );
}
