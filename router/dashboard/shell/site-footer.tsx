/** The foot of the first page: where else to look, and who operates the service. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { areModelsPublic } from '../api/public-figures.ts';
import { contactLink, operator, termsLinks } from '../service.ts';
import { Mark } from './mark.tsx';

const LINK = 'hover:text-ink hover:underline';

export function SiteFooter() {
  const seller = operator();
  const contact = contactLink();
  const { terms, privacy } = termsLinks();
  const hasCompanyLinks = contact !== null || terms !== null || privacy !== null;
  return (
    <footer className="border-t text-sm text-muted">
      <div className="mx-auto grid max-w-6xl grid-cols-2 gap-8 px-4 py-10 sm:grid-flow-col sm:grid-cols-[minmax(0,2fr)] sm:auto-cols-[minmax(0,1fr)] sm:px-8">
        <div className="grid content-start gap-3 max-sm:col-span-2">
          <p className="flex items-center gap-2.5 font-semibold text-ink">
            <Mark /> Penstock
          </p>
          {seller !== null && (
            <address className="grid gap-0.5 text-xs not-italic wrap-anywhere">
              <p>Operated by {seller.name}</p>
              {seller.address.map((line) => (
                <p key={line}>{line}</p>
              ))}
              {seller.taxId !== '' && <p>Tax ID {seller.taxId}</p>}
            </address>
          )}
        </div>
        <Links name="Service">
          {areModelsPublic() && (
            <>
              <Link to="/catalog" className={LINK}>
                Models and prices
              </Link>
              <Link to="/status" className={LINK}>
                Status
              </Link>
            </>
          )}
          <Link to="/sign-in" search={{}} className={LINK}>
            Sign in
          </Link>
        </Links>
        <Links name="Developers">
          <Link to="/docs" className={LINK}>
            Docs
          </Link>
          <Link to="/docs/api" className={LINK}>
            Management API
          </Link>
          <a href="/llms.txt" className={LINK}>
            llms.txt
          </a>
        </Links>
        {hasCompanyLinks && (
          <Links name="Company">
            <OutLink href={contact}>Contact</OutLink>
            <OutLink href={terms}>Terms of service</OutLink>
            <OutLink href={privacy}>Privacy policy</OutLink>
          </Links>
        )}
      </div>
    </footer>
  );
}

function OutLink({ href, children }: Readonly<{ href: string | null; children: string }>) {
  return href === null ? null : (
    <a href={href} className={LINK}>
      {children}
    </a>
  );
}

function Links({ name, children }: Readonly<{ name: string; children: ReactNode }>) {
  return (
    <nav aria-label={name} className="grid content-start justify-items-start gap-2">
      <p className="text-xs font-medium text-ink">{name}</p>
      {children}
    </nav>
  );
}
