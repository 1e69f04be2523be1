import { Check, Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { createContext, type ReactNode, use, useRef } from 'react';
import { Button } from './form/button.tsx';
import { cx } from './class-names.ts';

type MenuProps = Readonly<{
  /** The button that opens the menu, as a single element. */
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}>;

/**
 * Sets the action to run once the menu has closed. By then the menu's button has the focus, so a
 * dialog that the action opens returns the focus to the button.
 */
const Choose = createContext<(act: (() => void) | undefined) => void>(() => {});

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const chosen = useRef<() => void>(undefined);
  const choose = (act: (() => void) | undefined) => {
    chosen.current = act;
  };
  const closed = () => {
    const act = chosen.current;
    chosen.current = undefined;
    act?.();
  };
  return (
    // A modal menu would hide the page from screen readers, but not its focusable elements.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={closed}
          className="z-50 max-h-[70dvh] min-w-[max(11rem,var(--radix-dropdown-menu-trigger-width))] overflow-y-auto rounded-lg border bg-panel p-1 shadow-float"
        >
          <Choose value={choose}>{children}</Choose>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A menu of what can be done with the item of a row; `of` names the item. */
export function ActionsMenu({ of, children }: { of: string; children: ReactNode }) {
  const trigger = (
    <Button look="ghost" size="small" square aria-label={`Actions for ${of}`}>
      <Ellipsis />
    </Button>
  );
  return <Menu trigger={trigger}>{children}</Menu>;
}

const ITEM =
  'flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm outline-none max-sm:min-h-11 data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-4';

type ItemProps = Readonly<{
  onSelect?: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Renders its only child, a link, as the item. */
  asChild?: boolean;
  children: ReactNode;
}>;

export function MenuItem({
  onSelect,
  danger = false,
  disabled = false,
  asChild = false,
  children,
}: ItemProps) {
  const choose = use(Choose);
  return (
    <DropdownMenu.Item
      asChild={asChild}
      disabled={disabled}
      onSelect={() => choose(onSelect)}
      className={cx(ITEM, danger && 'text-bad')}
    >
      {children}
    </DropdownMenu.Item>
  );
}

type ChoiceProps = Readonly<{
  isChosen: boolean;
  disabled?: boolean;
  onChange: (isChosen: boolean) => void;
  children: ReactNode;
}>;

/** A choice that is on or off. The menu stays open, so that several can be chosen. */
export function MenuChoice({ isChosen, disabled = false, onChange, children }: ChoiceProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={isChosen}
      disabled={disabled}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      {children}
      <DropdownMenu.ItemIndicator className="ml-auto">
        <Check aria-hidden />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2 py-1.5 text-xs text-muted">{children}</DropdownMenu.Label>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
