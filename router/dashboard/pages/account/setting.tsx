import type { ReactNode } from 'react';

type SettingProps = Readonly<{
  name: string;
  badge?: ReactNode;
  /** How it is set. */
  children: ReactNode;
  action: ReactNode;
  /** What has just come of it. */
  below?: ReactNode;
}>;

/** One line of a panel: what it is, how it is set, and a button that changes it. */
export function Setting({ name, badge, children, action, below }: SettingProps) {
  return (
    <div className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-0.5">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-sm font-medium">{name}</h3>
            {badge}
          </div>
          <div className="text-sm wrap-anywhere text-muted">{children}</div>
        </div>
        <div className="flex flex-wrap gap-2">{action}</div>
      </div>
      {below}
    </div>
  );
}
