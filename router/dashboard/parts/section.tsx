import { type ReactNode, useId } from 'react';

type SectionProps = Readonly<{
  title: string;
  description: ReactNode;
  /** A button, below the description. */
  action?: ReactNode;
  children: ReactNode;
}>;

/** A section of settings: its title at the left, its controls at the right. */
export function Section({ title, description, action, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-3 border-t pt-6 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <header className="grid content-start gap-1">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        <p className="text-sm text-muted">{description}</p>
        {action && <div className="mt-2">{action}</div>}
      </header>
      {children}
    </section>
  );
}
