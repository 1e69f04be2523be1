import type { ReactNode } from 'react';

type SettingProps = Readonly<{
  name: string;
  badge?: ReactNode;
  /** The current value of the setting. */
  children: ReactNode;
  /** Null: nothing can be changed here. */
  action: ReactNode;
  /** What follows from the latest change, such as its error. */
  below?: ReactNode;
}>;

/** One line of a panel: the setting's name, its current value, and buttons that change it. */
export function Setting({ name, badge, children, action, below }: SettingProps) {
  return (
    <div className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {/* A switch stays beside its text. On a phone, buttons are always below it. */}
        <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="min-w-0 text-sm font-medium wrap-anywhere">{name}</h3>
            {badge}
          </div>
          <div className="text-sm wrap-anywhere text-muted">{children}</div>
        </div>
        {action !== null && (
          <div className="flex shrink-0 flex-wrap gap-2 max-sm:has-[button:not([role=switch])]:w-full">
            {action}
          </div>
        )}
      </div>
      {below}
    </div>
  );
}
