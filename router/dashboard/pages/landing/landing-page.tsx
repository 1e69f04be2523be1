/** What a stranger sees first: what the service is, its models and prices, and how to begin. */
import { Link } from '@tanstack/react-router';
import { Activity, BookOpen, Boxes } from 'lucide-react';
import type { ReactNode } from 'react';
import { areModelsPublic } from '../../api/public-figures.ts';
import { wordedUsd } from '../../format/usd.ts';
import { Button } from '../../parts/form/button.tsx';
import { useTitle } from '../../parts/page.tsx';
import { isSignUpOpen } from '../../service.ts';
import { SiteFooter } from '../../shell/site-footer.tsx';
import { SiteHeader } from '../../shell/site-header.tsx';
import { welcomeCredit } from '../../welcome-credit.ts';
import { PRODUCT_LINE } from '../people/product.tsx';
import { LandingFacts } from './landing-facts.tsx';
import { LandingModels } from './landing-models.tsx';
import { LandingRequest } from './landing-request.tsx';

export default function LandingPage() {
  useTitle('OpenAI-compatible API for open models');
  return (
    <div className="min-h-dvh bg-ground">
      <SiteHeader />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-12 px-4 py-10 outline-none sm:gap-16 sm:px-8 sm:py-20"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] items-center gap-10 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <div className="grid gap-5">
            <h1 className="text-3xl font-semibold tracking-tight text-balance sm:text-4xl">
              {PRODUCT_LINE}
            </h1>
            <p className="max-w-prose text-muted">
              Keep your OpenAI client: set its base URL and API key. You pay from prepaid credit for
              the tokens that you use. There is no subscription.
            </p>
            <Begin />
          </div>
          <LandingRequest />
        </div>
        <LandingFacts />
        {areModelsPublic() && <LandingModels />}
        {areModelsPublic() && (
          <ul className="grid gap-4 sm:grid-cols-3">
            <Lead to="/docs" icon={<BookOpen />} title="Docs">
              Quickstart, streaming, tools and errors, in curl, Python, TypeScript and Go.
            </Lead>
            <Lead to="/catalog" icon={<Boxes />} title="Compare models">
              Prices, context, speed and uptime of up to four models, side by side.
            </Lead>
            <Lead to="/status" icon={<Activity />} title="Status">
              The status of each model now, and its uptime in the last 30 days.
            </Lead>
          </ul>
        )}
        {isSignUpOpen() && <Closing />}
      </main>
      <SiteFooter />
    </div>
  );
}

function Begin() {
  const credit = welcomeCredit();
  if (!isSignUpOpen()) {
    return (
      <div className="grid justify-items-start gap-2">
        <Button asChild look="primary">
          <Link to="/sign-in" search={{}}>
            Sign in
          </Link>
        </Button>
        <p className="text-sm text-muted">Accounts are by invitation.</p>
      </div>
    );
  }
  return (
    <div className="grid justify-items-start gap-2">
      <div className="flex flex-wrap gap-2">
        <Button asChild look="primary">
          <Link to="/sign-up">Create account</Link>
        </Button>
        <Button asChild>
          <Link to="/sign-in" search={{}}>
            Sign in
          </Link>
        </Button>
      </div>
      {credit !== null && (
        <p className="text-sm text-muted">
          Includes {wordedUsd(credit)} in free credit. No card needed.
        </p>
      )}
    </div>
  );
}

/** For who has read to the end. */
function Closing() {
  const credit = welcomeCredit();
  return (
    <section
      aria-labelledby="closing"
      className="grid justify-items-center gap-4 rounded-xl border bg-panel px-5 py-10 text-center shadow-panel"
    >
      <div className="grid gap-1">
        <h2 id="closing" className="text-lg font-semibold tracking-tight text-balance">
          {credit === null
            ? 'Send your first request'
            : `Send your first request with ${wordedUsd(credit)} in free credit`}
        </h2>
        <p className="text-sm text-balance text-muted">
          An account takes a name, an email and a password.
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button asChild look="primary">
          <Link to="/sign-up">Create account</Link>
        </Button>
        <Button asChild>
          <Link to="/docs">Read the quickstart</Link>
        </Button>
      </div>
    </section>
  );
}

type LeadProps = Readonly<{
  to: '/docs' | '/catalog' | '/status';
  icon: ReactNode;
  title: string;
  children: ReactNode;
}>;

function Lead({ to, icon, title, children }: LeadProps) {
  return (
    <li>
      <Link
        to={to}
        className="grid h-full content-start gap-1.5 rounded-xl border bg-panel p-5 shadow-panel hover:border-line-strong"
      >
        <span className="flex items-center gap-2 text-sm font-semibold [&_svg]:size-4 [&_svg]:text-muted">
          {icon} {title}
        </span>
        <span className="text-sm text-muted">{children}</span>
      </Link>
    </li>
  );
}
