import { contactLink } from '../service.ts';

/** Leads to the support, in a sentence. Plain text if the service has no contact. */
export function ContactSupport({ children }: Readonly<{ children: string }>) {
  const contact = contactLink();
  if (contact === null) return children;
  return (
    <a href={contact} className="font-medium text-ink underline underline-offset-2">
      {children}
    </a>
  );
}
