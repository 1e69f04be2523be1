import type { ReactNode } from 'react';
import { termsLinks } from '../../service.ts';
import { LINK } from './visitor-frame.tsx';

/** What a person agrees to by signing up. Nothing if the operator has configured no terms. */
export function Agreement() {
  const { terms, privacy } = termsLinks();
  if (terms === null && privacy === null) return null;
  return (
    <p className="text-xs text-muted">
      By signing up you agree to the {terms !== null && <Page url={terms}>Terms of Service</Page>}
      {terms !== null && privacy !== null && ' and the '}
      {privacy !== null && <Page url={privacy}>Privacy Policy</Page>}.
    </p>
  );
}

/** Opens beside the form, so that nothing typed is lost. */
function Page({ url, children }: Readonly<{ url: string; children: ReactNode }>) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className={`whitespace-nowrap ${LINK}`}>
      {children}
    </a>
  );
}
