/** Leads from the page of one thing to the list that it belongs to. It stands above the title. */
import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';

const LOOK =
  '-ml-0.5 inline-flex w-fit items-center gap-1 text-sm text-muted hover:text-ink max-sm:-my-1.5 max-sm:min-h-11';

function Anchor({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={LOOK}>
      <ArrowLeft className="size-3.5" aria-hidden />
      {children}
    </a>
  );
}

/** Takes the properties of a `Link`. Its text is the title of the list. */
export const BackLink = createLink(Anchor);

/** Goes back to the page that the reader came from. */
export function BackButton({
  onBack,
  children,
}: Readonly<{ onBack: () => void; children: string }>) {
  return (
    <button type="button" onClick={onBack} className={LOOK}>
      <ArrowLeft className="size-3.5" aria-hidden />
      {children}
    </button>
  );
}
